#include "campaign/pair.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "campaign/commands.h"
#include "campaign/execute.h"
#include "campaign/interrupt.h"
#include "campaign/open_tried.h"
#include "campaign/pair_cases.h"
#include "core/gpu.h"
#include "intake/open_module.h"
#include "results/text.h"

namespace w4 {
namespace {

enum class Became { works, refused, wrong, unformed };

struct Told {  // cases of one pair that ended alike
  Became became;
  std::string what;         // "refused: zp.packed", "mismatch"
  std::vector<Case> cases;  // in order
};

struct PairResult {
  const Pair* pair;
  int64_t works = 0, refused = 0, wrong = 0, unformed = 0, skipped = 0;
  std::vector<Told> told{};
};

// A refusal is of the pair where the preparer declares what it was asked for and selection, which
// goes by name and dtype, can form it.
Became became_of(const PairCase& c, const Verdict& v) {
  if (v.kind() == VerdictKind::pass) return Became::works;
  if (v.kind() == VerdictKind::refused) {
    const bool touched = std::ranges::any_of(v.outcomes, [](const Outcome& o) {
      const auto* r = std::get_if<Refused>(&o);
      return r != nullptr && !r->untouched;
    });
    if (touched) return Became::wrong;
    return c.written && c.selected ? Became::refused : Became::unformed;
  }
  return Became::wrong;
}

std::string what_of(const Verdict& v) {
  const Outcome& o = v.primary();
  if (const auto* r = std::get_if<Refused>(&o)) {
    return fmt::format("selection can form this pair, it is refused: {}",
                       r->clause.empty() ? "no clause" : r->clause);
  }
  std::string out(name_of(v.kind()));
  for (const Outcome& other : v.outcomes) {
    if (const auto* a = std::get_if<Accepted>(&other)) {
      return fmt::format("{} ({}: {})", out, a->clause, a->message);
    }
  }
  return out;
}

void note(PairResult& to, const PairCase& c, const Verdict& v) {
  if (v.kind() == VerdictKind::skipped) {
    ++to.skipped;
    return;
  }
  const Became became = became_of(c, v);
  switch (became) {
    case Became::works:
      ++to.works;
      return;
    case Became::unformed:
      ++to.unformed;
      return;
    case Became::refused:
      ++to.refused;
      break;
    case Became::wrong:
      ++to.wrong;
      break;
  }
  std::string what = what_of(v);
  const auto same = std::ranges::find(to.told, what, &Told::what);
  if (same == to.told.end()) {
    to.told.push_back({became, std::move(what), {c.value}});
  } else {
    same->cases.push_back(c.value);
  }
}

// "act=f16,bf16 g=32 zp=unpacked": the values of the keys that the cases have between them.
std::string values_of(const std::vector<Case>& cases) {
  std::vector<std::string> act, g, zp, src;
  const auto add = [](std::vector<std::string>& to, std::string v) {
    if (std::ranges::find(to, v) == to.end()) to.push_back(std::move(v));
  };
  for (const Case& c : cases) {
    add(act, std::string(name_of(c.problem.act)));
    add(g, std::to_string(c.problem.g));
    add(zp, std::string(name_of(c.problem.zp)));
    add(src, std::string(name_of(c.problem.src)));
  }
  return fmt::format("act={} g={} zp={} src={}", fmt::join(act, ","), fmt::join(g, ","),
                     fmt::join(zp, ","), fmt::join(src, ","));
}

std::string text_of(const std::vector<PairResult>& results) {
  size_t name = 6, path = 11;
  for (const PairResult& r : results) {
    name = std::max(name, r.pair->kernel.size());
    path = std::max({path, r.pair->preparer.size(), r.pair->op.size()});
  }
  std::string out = fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>6}  {:>7}  {:>6}\n", "kernel", name,
                                "prepared by", path, "run by", path, "works", "refused", "wrong");
  for (const PairResult& r : results) {
    out += fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>6}  {:>7}  {:>6}", r.pair->kernel, name,
                       r.pair->preparer, path, r.pair->op, path, r.works, r.refused, r.wrong);
    if (r.unformed > 0) out += fmt::format("  ({} that the preparer does not write)", r.unformed);
    if (r.skipped > 0) out += fmt::format("  ({} skipped)", r.skipped);
    out += '\n';
    for (const Told& t : r.told) {
      out += fmt::format("  {}: {} of them, {}\n    w4check rerun '{}'\n", t.what, t.cases.size(),
                         values_of(t.cases), to_string(t.cases.front()));
    }
  }
  return printable_utf8(out);
}

nlohmann::json json_of(const std::vector<PairResult>& results) {
  auto all = nlohmann::json::array();
  for (const PairResult& r : results) {
    auto told = nlohmann::json::array();
    for (const Told& t : r.told) {
      told.push_back({{"became", t.became == Became::refused ? "refused" : "wrong"},
                      {"what", printable_utf8(t.what)},
                      {"cases", t.cases.size()},
                      {"values", values_of(t.cases)},
                      {"rerun", printable_utf8(to_string(t.cases.front()))}});
    }
    all.push_back({{"kernel", r.pair->kernel},
                   {"prepared_by", printable_utf8(r.pair->preparer)},
                   {"run_by", printable_utf8(r.pair->op)},
                   {"works", r.works},
                   {"refused", r.refused},
                   {"wrong", r.wrong},
                   {"unformed", r.unformed},
                   {"skipped", r.skipped},
                   {"told", std::move(told)}});
  }
  return all;
}

}  // namespace

void add_pair(CLI::App& app, PairCommand& c) {
  CLI::App* pair = app.add_subcommand(
      "pair",
      "Every preparation with every operator of the same name, over modules and what is built in: "
      "pairs that selection can form but that are refused or wrong");
  pair->add_option("module", c.modules,
                   "Module, a shared object or a manifest (.json); the built-in one is always "
                   "there; none: the built-in kernels with their own preparation")
      ->option_text("MODULE …");
  pair->add_option("--kernel", c.kernel, "Only the kernel of this name")->option_text("NAME");
  pair->add_option("--device", c.device, "Emulated arch (default gfx1151)")->option_text("NAME");
  pair->add_option("--jobs,-j", c.jobs, "Worker processes, 1 to 256 (default 1)")->option_text("N");
  pair->add_option("--timeout", c.timeout,
                   fmt::format("Seconds a case may take (default: {})", kDefaultLimit))
      ->option_text("SECONDS");
  pair->add_option("--json", c.json, "Write the pairs as JSON to FILE, or - for standard output")
      ->option_text("FILE");
  pair->footer(
      "works: the pair computes what it should. refused: selection, which goes by name and dtype, "
      "can form the pair, the preparer declares what it writes, and the call is refused by the "
      "named clause. wrong: it ran and should not have, or its output is wrong. Cases: each dtype, "
      "G, encoding of zero points and source format that one of the two declares, on a small "
      "layer.\n\nExit codes: 0 every pair works, 1 one is refused or wrong, 2 usage, 3 harness "
      "error, 130 interrupted.");
}

int pair_command(const PairCommand& c) {
  if (c.jobs < 1 || c.jobs > 256)
    return usage_error(fmt::format("--jobs: {}; legal: 1 to 256", c.jobs));
  if (c.timeout && (!(*c.timeout >= 0) || *c.timeout > 1e6)) {
    return usage_error(
        fmt::format("--timeout: {}; legal: 0 (none) to 1000000 seconds", *c.timeout));
  }
  if (find_gpu(c.device) == nullptr) {
    return usage_error(printable_utf8(fmt::format(
        "--device: '{}'; legal: an emulated arch of `w4check list devices`", c.device)));
  }
  catch_interrupts();
  std::vector<OpenModule> keep;
  std::vector<PairModule> modules;
  std::vector<std::string> paths{std::string(kBuiltIn)};
  for (const std::string& path : c.modules) {
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
  }
  for (const std::string& path : paths) {
    auto opened = open_tried(path);
    if (interrupted()) return kInterrupted;
    if (!opened) return usage_error(printable_utf8("pair: " + opened.error().text));
    modules.push_back({path, opened->table});
    keep.push_back(std::move(*opened));
  }
  const std::vector<Pair> pairs = pairs_of(modules, c.kernel, c.device);
  std::vector<PlannedCase> plan;
  std::map<std::string, std::pair<size_t, const PairCase*>> of_line;
  std::vector<PairResult> results;
  for (const Pair& p : pairs) {
    for (const PairCase& one : p.cases) {
      plan.push_back({"pair", one.value, to_string(one.value)});
      of_line[plan.back().line] = {results.size(), &one};
    }
    results.push_back({&p});
  }
  if (plan.empty()) {
    return usage_error(
        printable_utf8(fmt::format("pair: no kernel '{}' in these modules", c.kernel)));
  }
  bool harness_failed = false;
  const Watcher watcher{[&](const PlannedCase& p, const Verdict& v) {
                          const auto& [at, one] = of_line.at(p.line);
                          harness_failed |= v.kind() == VerdictKind::harness_error;
                          note(results[at], *one, v);
                          return true;
                        },
                        [] {}, [] { return interrupted(); }};
  const Result<void> ran =
      execute(plan, {c.jobs, c.timeout, threads_of_a_case(std::nullopt, c.jobs)}, watcher);
  if (!ran) {
    fmt::print(stderr, "w4check: harness error: {}\n", ran.error().text);
    return kHarnessError;
  }
  FILE* people = c.json == "-" ? stderr : stdout;
  fmt::print(people, "{}", text_of(results));
  if (c.json == "-") {
    fmt::print("{}\n", json_of(results).dump());
  } else if (!c.json.empty()) {
    std::ofstream out(c.json);
    out << json_of(results).dump() << '\n';
    if (!out.flush()) return usage_error(printable_utf8("--json: cannot write '" + c.json + "'"));
  }
  int64_t works = 0, red = 0;
  for (const PairResult& r : results) works += r.works, red += r.refused + r.wrong;
  const int64_t bad =
      std::ranges::count_if(results, [](const PairResult& r) { return r.refused + r.wrong > 0; });
  fmt::print(people, "{} pairs, {} of them refused or wrong; {} of {} cases work{}\n",
             results.size(), bad, works, plan.size(), interrupted() ? "; interrupted" : "");
  if (harness_failed) return kHarnessError;
  if (red > 0) return kRed;
  if (interrupted()) return kInterrupted;
  return works > 0 ? kGreen : kRed;
}

}  // namespace w4
