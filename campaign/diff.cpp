#include "campaign/diff.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "campaign/commands.h"
#include "campaign/diff/job.h"
#include "campaign/diff/report.h"
#include "campaign/duration.h"
#include "campaign/interrupt.h"
#include "campaign/report/filing.h"
#include "core/gpu.h"
#include "intake/open_module.h"
#include "results/text.h"

namespace w4 {
namespace {

using diff::kA;
using diff::kB;
using diff::Section;

constexpr int64_t kMostCases = 1'000'000;
constexpr double kDrawing = 4;  // at most this part of the budget goes into drawing calls

// The path as a case line has it; empty: built in.
Result<std::string> module_path(const char* which, const std::string& path) {
  Case c;
  c.kernel = "decode";
  c.module = path == kBuiltIn ? "" : path;
  const auto again = parse_case(to_string(c));
  if (path.empty() || !again || again->module != c.module) {
    return fail("{}: '{}' cannot stand in a case line; legal: builtin, or a path without blanks",
                which, path);
  }
  if (const auto runs = check_runnable(c); !runs) return fail("{}: {}", which, runs.error().text);
  return c.module;
}

// Both declarations, or why there are none.
Result<void> declare(diff::Job& job, const DiffCommand& c) {
  constexpr double kOpening = 120;  // a manifest's code objects are read
  const auto r = job.pair.both({{"what", "declare"}}, kOpening);
  if (!r) return {};
  for (const auto side : {kA, kB}) {
    const diff::Reply& said = r->at(side);
    const std::string& path = side == kA ? c.a : c.b;
    if (!said.ok()) return fail("{}: '{}': {}", side == kA ? "A" : "B", path, said.trouble);
    job.declared.at(side) = said.said;
  }
  const nlohmann::json& a = job.declared[kA].at("kernels");
  const nlohmann::json& b = job.declared[kB].at("kernels");
  std::set<std::string> names;
  for (const nlohmann::json* side : {&a, &b}) {
    for (const auto& [name, kernel] : side->items()) names.insert(name);
  }
  for (const std::string& wanted : c.kernels) {
    if (!names.contains(wanted)) {
      return fail("--kernel: neither module has '{}'; legal: {}", wanted, fmt::join(names, ", "));
    }
  }
  for (const std::string& name : names) {
    if (!c.kernels.empty() && std::ranges::find(c.kernels, name) == c.kernels.end()) continue;
    if (!b.contains(name)) {
      job.only_a.push_back(name);
    } else if (!a.contains(name)) {
      job.only_b.push_back(name);
    } else {
      diff::Compared k{name, a.at(name).at("experts").get<bool>(), {}};
      for (const nlohmann::json* side : {&a, &b}) {
        for (const nlohmann::json& clause : side->at(name).at("lists").at("clause"))
          k.clauses.insert(clause.get<std::string>());
      }
      job.kernels.push_back(std::move(k));
    }
  }
  return {};
}

class Ticker {
 public:
  void show(const Section& s) {
    if (!terminal_ || std::chrono::steady_clock::now() < next_) return;
    next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    fmt::print(stderr, "\r\x1b[K{}: {} of {} {}", s.name, s.done, s.planned, s.unit);
  }
  void clear() const {
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point next_;
};

using RunSection = Section (*)(diff::Job&);
constexpr std::array<RunSection, diff::kSections.size()> kRun{
    diff::contract, diff::routes, diff::machine_code, diff::work, diff::bits};

void run_sections(diff::Job& job, const DiffCommand& c, diff::Report& report, FILE* people) {
  Ticker ticker;
  job.progress = [&ticker](const Section& s) { ticker.show(s); };
  for (size_t i = 0; i < kRun.size(); ++i) {
    // What the others look at comes from the first.
    const bool wanted = i == 0 || c.sections.empty() ||
                        std::ranges::find(c.sections, diff::kSections[i]) != c.sections.end();
    if (!wanted) continue;
    Section s = kRun[i](job);
    ticker.clear();
    if (job.pair.over() && !s.complete()) {
      s.notes.push_back(interrupted() ? "interrupted: the rest was not looked at"
                                      : "the budget is over: the rest was not looked at");
    }
    fmt::print(people, "{}\n", text_of(s));
    std::fflush(people);
    report.sections.push_back(std::move(s));
  }
}

Result<void> write_text(const char* option, const std::string& path, const std::string& text) {
  FILE* f = std::fopen(path.c_str(), "we");
  if (f == nullptr) return fail("{}: cannot write '{}': {}", option, path, std::strerror(errno));
  const bool put = std::fputs(text.c_str(), f) >= 0;
  const bool closed = std::fclose(f) == 0;
  if (put && closed) return {};
  return fail("{}: cannot write '{}': {}", option, path, std::strerror(errno));
}

// What was declared before stays: somebody has written its reason.
Result<void> write_accept(const DiffCommand& c, const diff::Report& report) {
  std::set<std::pair<std::string, std::string>> found;
  for (const Section& s : report.sections) {
    for (const diff::Row& row : s.rows) {
      for (const std::string& key : row.keys) found.emplace(s.name, key);
    }
  }
  std::string text;
  if (!c.accept.empty()) {
    const auto before = read_text(c.accept);
    if (!before) return fail("--accept: {}", before.error().text);
    text = *before;
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
  }
  return write_text("--write-accept", c.write_accept, text + diff::accept_text(found));
}

void print_end(FILE* people, const diff::Report& r, const DiffCommand& c) {
  for (const std::string& stale : r.stale)
    fmt::print(people, "stale: {}: {} is no difference any more\n", c.accept,
               printable_utf8(stale));
  std::vector<std::string> partly;
  int64_t accepted = 0;
  for (const Section& s : r.sections) {
    accepted += s.accepted;
    if (!s.complete()) partly.push_back(s.name);
  }
  const size_t n = r.differences();
  fmt::print(people, "{} and {}: {}{}{}; {:.0f} s\n", r.a, r.b,
             n == 0   ? "no undeclared difference"
             : n == 1 ? "1 undeclared difference"
                      : fmt::format("{} undeclared differences", n),
             accepted == 0 ? "" : fmt::format(", {} declared", accepted),
             partly.empty() ? ""
                            : fmt::format(", but {} {} not complete", fmt::join(partly, ", "),
                                          partly.size() == 1 ? "is" : "are"),
             r.seconds);
}

// What was compared: the name under which the result is filed.
std::string asked(const DiffCommand& c) {
  std::string out = fmt::format("{} and {}", c.a, c.b);
  const auto only = [&](const char* what, const std::vector<std::string>& of) {
    if (!of.empty()) out += fmt::format("; {} {}", what, fmt::join(of, ", "));
  };
  only("kernel", c.kernels);
  only("device", c.devices);
  only("section", c.sections);
  only("suite", c.suites);
  return out;
}

struct Wanted {
  std::string a, b;
  double seconds = 0;
  diff::Draw draw;
  diff::Accepted accepted;
};

Result<Wanted> read_options(const DiffCommand& c) {
  Wanted w;
  for (auto [which, from, to] : {std::tuple{"A", &c.a, &w.a}, std::tuple{"B", &c.b, &w.b}}) {
    auto path = module_path(which, *from);
    if (!path) return std::unexpected(path.error());
    *to = std::move(*path);
  }
  const auto seconds = seconds_of("--budget", c.budget);
  if (!seconds) return std::unexpected(seconds.error());
  w.seconds = *seconds;
  if (c.cases < 1 || c.cases > kMostCases)
    return fail("--cases: {}; legal: 1 to {}", c.cases, kMostCases);
  if (const auto ok = check_key_value("--seed", "seed", c.seed); !ok)
    return std::unexpected(ok.error());
  for (const std::string& device : c.devices) {
    if (find_gpu(device) != nullptr) continue;
    std::vector<std::string_view> legal;
    for (const GpuModel& gpu : gpu_models()) legal.push_back(gpu.arch);
    return fail("--device: '{}' is not an emulated device; legal: {}", device,
                fmt::join(legal, ", "));
  }
  w.draw = {.suites = c.suites,
            .devices = c.devices.empty() ? std::vector<std::string>{"gfx1151"} : c.devices,
            .seed = parse_case("decode seed=" + c.seed)->seed,
            .cases = c.cases};
  for (const std::string& section : c.sections) {
    if (std::ranges::find(diff::kSections, section) == diff::kSections.end()) {
      return fail("--section: there is no section '{}'; legal: {}", section,
                  fmt::join(diff::kSections, ", "));
    }
  }
  // An unknown suite is said before anything runs.
  if (const auto drawn = diff::draw({}, {.suites = c.suites, .devices = w.draw.devices}); !drawn)
    return std::unexpected(drawn.error());
  if (!c.accept.empty()) {
    auto accepted = diff::Accepted::read(c.accept);
    if (!accepted) return std::unexpected(accepted.error());
    w.accepted = std::move(*accepted);
  }
  return w;
}

int harness_error(const std::string& text) {
  fmt::print(stderr, "w4check: harness error: {}\n", printable_utf8(text));
  return kHarnessError;
}

}  // namespace

void add_diff(CLI::App& app, DiffCommand& c) {
  CLI::App* d = app.add_subcommand(
      "diff",
      "Compare two versions of a module: contract, routes, machine code, work and output bits");
  d->add_option("A", c.a, "Module: a path (shared object or manifest), or builtin")->required();
  d->add_option("B", c.b, "The other module, alike")->required();
  const auto repeated = [&](const char* name, std::vector<std::string>& to, const char* text,
                            const char* value) {
    d->add_option(name, to, text)->option_text(value)->allow_extra_args(false);
  };
  repeated("--suite", c.suites, "Run the cases of this suite too; repeatable", "NAME");
  repeated("--section", c.sections,
           "contract, and of route, code, work, bits only this one; repeatable (default: all)",
           "NAME");
  repeated("--kernel", c.kernels, "Only this kernel; repeatable (default: all)", "NAME");
  repeated("--device", c.devices,
           "Emulated device to compare on; repeatable (default: gfx1151, and the lists of archs "
           "are compared)",
           "NAME");
  d->add_option("--budget", c.budget,
                "Time for all sections together: a number with s, m, h or d (default 10m)")
      ->option_text("TIME");
  d->add_option("--cases", c.cases,
                "Generated legal cases of each kernel; a third as many that break a clause "
                "(default 300)")
      ->option_text("N");
  d->add_option("--seed", c.seed, "Seed of the generated cases and of suites (default 1)")
      ->option_text("N");
  d->add_option("--accept", c.accept,
                "File of declared differences, one a line: SECTION KEY REASON")
      ->option_text("FILE");
  d->add_option("--write-accept", c.write_accept,
                "Write what was found as such a file, with a ? for each reason")
      ->option_text("FILE");
  d->add_option("--json", c.json, "Write the whole result as JSON to FILE, - is standard output")
      ->option_text("FILE");
  d->add_option("--db", c.db,
                "SQLite store to file the result in for `w4check report`, made where there is none")
      ->option_text("FILE");
  d->footer(
      "docs/diff.md says what each section shows.\n"
      "Exit codes: 0 no undeclared difference, 1 some, or a declared one that is none any more, 2 "
      "usage, 3 harness error, 130 interrupted: it says what it has.");
}

int diff_command(const DiffCommand& c) {
  auto wanted = read_options(c);
  if (!wanted) return usage_error("diff: " + printable_utf8(wanted.error().text));
  FILE* json = nullptr;
  if (!c.json.empty()) {
    json = c.json == "-" ? stdout : std::fopen(c.json.c_str(), "we");
    if (json == nullptr) {
      return usage_error(printable_utf8(
          fmt::format("diff: --json: cannot write '{}': {}", c.json, std::strerror(errno))));
    }
  }
  FILE* people = json == stdout ? stderr : stdout;
  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  diff::Pair pair({wanted->a}, {wanted->b}, wanted->seconds);
  diff::Job job{.pair = pair,
                .accepted = wanted->accepted,
                .devices = wanted->draw.devices,
                .every_arch = c.devices.empty()};
  if (const auto declared = declare(job, c); !declared)
    return usage_error("diff: " + printable_utf8(declared.error().text));
  // Drawing takes its part of the budget too.
  const auto until = start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                 std::chrono::duration<double>(wanted->seconds / kDrawing));
  wanted->draw.stop = [&] { return interrupted() || std::chrono::steady_clock::now() > until; };
  auto calls = diff::draw(job.kernels, wanted->draw);
  if (!calls) return usage_error("diff: " + printable_utf8(calls.error().text));
  job.calls = std::move(calls->calls);
  job.not_drawn = calls->not_drawn;
  auto filing = Filing::open(c.db, c.json);
  if (!filing) return usage_error("diff: " + printable_utf8(filing.error().text));
  diff::Report report{.a = c.a, .b = c.b};
  run_sections(job, c, report, people);
  if (!pair.trouble().empty()) return harness_error(pair.trouble());
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.interrupted = interrupted();
  std::set<std::string> whole;
  for (const Section& s : report.sections) {
    report.budget_over = report.budget_over || (!s.complete() && !report.interrupted);
    if (s.complete()) whole.insert(s.name);
  }
  // With --kernel a declared difference of another one was not looked for.
  if (c.kernels.empty()) report.stale = job.accepted.stale(whole);
  print_end(people, report, c);
  if (json != nullptr) {
    fmt::print(json, "{}\n", json_text(report));
    const bool written = std::fflush(json) == 0;
    if (json != stdout) std::fclose(json);
    if (!written)
      return harness_error(fmt::format("--json: cannot write: {}", std::strerror(errno)));
  }
  if (!c.write_accept.empty()) {
    if (const auto put = write_accept(c, report); !put) return harness_error(put.error().text);
  }
  if (report.interrupted) filing->leave_out("diff");
  if (report.interrupted) return kInterrupted;
  if (!filing->file("diff", asked(c), json_text(report))) return kHarnessError;
  if (report.differences() > 0 || !report.stale.empty()) return kRed;
  const Section& first = report.sections.front();
  if (first.planned > 0 && first.done == 0)
    return harness_error("diff: the budget was over before anything was compared");
  return kGreen;
}

}  // namespace w4
