#include "campaign/zoo/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "campaign/zoo/fate.h"
#include "core/gpu.h"
#include "results/text.h"

namespace w4::zoo {
namespace {

using nlohmann::json;

std::set<Oracle> oracles_of(const Row& row) {
  std::set<Oracle> out;
  for (const Hunted::Run& run : row.hunted.runs) {
    for (const auto& [oracle, k] : run.killed) out.insert(oracle);
  }
  return out;
}

// "mismatch", "finding device_fault": each once, in order of generators.
std::vector<std::string> kills_of(const Row& row) {
  std::vector<std::string> out;
  for (const Hunted::Run& run : row.hunted.runs) {
    for (const auto& [oracle, k] : run.killed) {
      if (std::ranges::find(out, k.kill.what) == out.end()) out.push_back(k.kill.what);
    }
  }
  return out;
}

std::string cell(const Row& row, Generator g) {
  const Hunted::Run* run = row.hunted.run_of(g);
  if (run == nullptr) return "-";
  const Killed* k = run->first();
  if (k == nullptr) return run->cases == 0 ? "no" : fmt::format("no in {}", run->cases);
  if (g == Generator::audit) return fmt::format("{:.1f} s", k->seconds);
  return fmt::format("{} {:.1f} s", k->cases, k->seconds);
}

json to_json(const Hunted::Run& run) {
  json out{{"generator", name_of(run.generator)},
           {"cases", run.cases},
           {"seconds", run.seconds},
           {"mistrusted", run.mistrusted},
           {"not_counted", run.others}};
  if (run.skipped > 0) out["skipped"] = run.skipped, out["skip"] = printable_utf8(run.skip);
  if (run.others > 0) out["first_not_counted"] = printable_utf8(run.other);
  json kills = json::array();
  for (const auto& [oracle, k] : run.killed) {
    kills.push_back({{"oracle", name_of(oracle)},
                     {"what", k.kill.what},
                     {"cases", k.cases},
                     {"seconds", k.seconds},
                     {"line", printable_utf8(k.line)},
                     {"text", printable_utf8(k.text)}});
  }
  out["kills"] = std::move(kills);
  return out;
}

json runs_of(const Hunted& h) {
  json out = json::array();
  for (const Hunted::Run& r : h.runs) out.push_back(to_json(r));
  return out;
}

}  // namespace

bool CleanRow::green() const {
  return std::ranges::all_of(hunted.runs, [](const auto& r) { return r.others == 0; });
}

int64_t CleanRow::cases() const {
  int64_t out = 0;
  for (const Hunted::Run& r : hunted.runs) out += r.cases;
  return out;
}

double median(std::vector<double> v) {
  if (v.empty()) return 0;
  std::ranges::sort(v);
  const size_t half = v.size() / 2;
  return v.size() % 2 == 1 ? v[half] : (v[half - 1] + v[half]) / 2;
}

std::string table_text(const std::vector<Row>& rows, const std::vector<Generator>& generators,
                       std::string_view device) {
  std::string out = fmt::format("{:<40}", "mutant");
  for (const Generator g : generators) out += fmt::format(" {:>14}", name_of(g));
  out += "  oracles\n";
  for (const Row& row : rows) {
    out += fmt::format("{:<40}", row.name());
    if (!row.stale.empty()) {
      out += fmt::format("  stale: {}\n", printable_utf8(row.stale));
      continue;
    }
    for (const Generator g : generators) out += fmt::format(" {:>14}", cell(row, g));
    std::vector<std::string_view> names;
    for (const Oracle o : oracles_of(row)) names.push_back(name_of(o));
    const Ended ended = fate_of(row, device);
    if (ended.fate == Fate::killed) {
      out += fmt::format("  {}", fmt::join(names, " "));
      // One word is not enough where a fault stands for what the emulator would name.
      if (is_native_device(device)) out += fmt::format(" ({})", fmt::join(kills_of(row), ", "));
    } else if (ended.fate == Fate::survives) {
      out += "  SURVIVES";
    } else {
      out += fmt::format("  {}: {}", name_of(ended.fate), printable_utf8(ended.why));
    }
    if (row.explained) {
      out += fmt::format("  explain {}: {}", name_of(row.explained->diagnosis),
                         printable_utf8(row.explained->said));
    }
    if (row.tried && *row.tried) {
      out += fmt::format("  upstream's tests fail {} of {}", (*row.tried)->failed,
                         (*row.tried)->tests);
    } else if (row.tried) {
      out += fmt::format("  upstream's tests: {}", printable_utf8(row.tried->error().text));
    }
    out += "\n";
  }
  return out;
}

std::string summary_text(const std::vector<Row>& rows, const std::vector<CleanRow>& clean,
                         std::string_view device) {
  std::map<Oracle, int> kills, unique;
  std::map<Fate, int> fates;
  std::map<Diagnosis, int> diagnoses;
  int killed = 0, stale = 0;
  for (const Row& row : rows) {
    stale += row.stale.empty() ? 0 : 1;
    if (row.killed()) ++killed;
    ++fates[fate_of(row, device).fate];
    const std::set<Oracle> by = oracles_of(row);
    for (const Oracle o : by) ++kills[o];
    if (by.size() == 1) ++unique[*by.begin()];
    if (row.explained) ++diagnoses[row.explained->diagnosis];
  }
  std::string out = fmt::format("{} of {} mutants killed", killed, rows.size());
  if (stale > 0) out += fmt::format(", {} stale", stale);
  if (fates[Fate::silent] > 0) out += fmt::format(", {} silent on {}", fates[Fate::silent], device);
  if (fates[Fate::skipped] > 0) out += fmt::format(", {} skipped", fates[Fate::skipped]);
  out += "\n";
  for (const Row& row : rows) {
    const Fate fate = fate_of(row, device).fate;
    if (fate != Fate::survives && fate != Fate::stale) continue;
    out += fmt::format("survivor: {}: {}\n", row.name(),
                       printable_utf8(row.stale.empty() ? row.says : row.stale));
    for (const Hunted::Run& run : row.hunted.runs) {
      if (run.others > 0) {
        out += fmt::format("  {}: {} red but not as expected, the first: {}\n",
                           name_of(run.generator), run.others, printable_utf8(run.other));
      }
    }
  }
  for (const auto& [oracle, count] : kills) {
    out += fmt::format("{:<9} kills {:>3}, alone {:>3}: {}\n", name_of(oracle), count,
                       unique[oracle], says_of(oracle));
  }
  if (!diagnoses.empty()) {
    out += "explain:";
    for (const auto& [d, count] : diagnoses) out += fmt::format(" {} {}", name_of(d), count);
    out += "\n";
  }
  if (!clean.empty()) {
    int64_t cases = 0, red = 0, skipped = 0;
    for (const CleanRow& c : clean) {
      cases += c.cases();
      for (const Hunted::Run& run : c.hunted.runs) {
        red += run.others, skipped += run.skipped;
        if (run.others > 0)
          out += fmt::format("clean {}, {}: {}\n", c.name, name_of(run.generator),
                             printable_utf8(run.other));
      }
    }
    out += fmt::format("clean kernels: {} cases, {} red", cases, red);
    if (skipped > 0) out += fmt::format(", {} skipped", skipped);
    out += "\n";
  }
  return out;
}

json to_json(const Row& row, std::string_view device) {
  const Ended ended = fate_of(row, device);
  json out{
      {"mutant", row.name()},        {"family", row.family},   {"says", printable_utf8(row.says)},
      {"covers", row.expect.covers}, {"killed", row.killed()}, {"runs", runs_of(row.hunted)}};
  if (!device.empty()) {
    out["device"] = device, out["fate"] = name_of(ended.fate);
    if (!ended.why.empty()) out["why"] = printable_utf8(ended.why);
  }
  if (!row.stale.empty()) out["stale"] = printable_utf8(row.stale);
  if (!row.equivalent.empty()) out["equivalent"] = printable_utf8(row.equivalent);
  if (row.explained) {
    out["explain"] = {{"diagnosis", name_of(row.explained->diagnosis)},
                      {"said", printable_utf8(row.explained->said)},
                      {"right", row.expect.explain}};
  }
  if (row.tried && *row.tried) {
    const Tried& t = **row.tried;
    out["recipe"] = {
        {"tests", t.tests}, {"failed", t.failed}, {"not_run", t.not_run}, {"first", t.first}};
  } else if (row.tried) {
    // Its process does not live to the end: somebody would see that.
    out["recipe"] = {{"tests", 0}, {"failed", 1}, {"first", row.tried->error().text}};
  }
  return out;
}

json to_json(const CleanRow& row) {
  return {{"clean", row.name}, {"green", row.green()}, {"runs", runs_of(row.hunted)}};
}

json document_of(const std::vector<Row>& rows, const std::vector<CleanRow>& clean,
                 const HuntOptions& options) {
  json generators = json::array(), oracles = json::array();
  for (const Generator g : options.generators) generators.push_back(name_of(g));
  for (const Oracle o : kOracles) oracles.push_back({{"name", name_of(o)}, {"says", says_of(o)}});
  json mutants = json::array(), twins = json::array();
  for (const Row& r : rows) mutants.push_back(to_json(r, options.device));
  for (const CleanRow& r : clean) twins.push_back(to_json(r));
  return {{"generators", std::move(generators)},
          {"oracles", std::move(oracles)},
          {"only", options.only ? json(name_of(*options.only)) : json(nullptr)},
          {"seconds", options.seconds},
          {"seed", options.seed},
          {"device", options.device},
          {"mutants", std::move(mutants)},
          {"clean", std::move(twins)}};
}

}  // namespace w4::zoo
