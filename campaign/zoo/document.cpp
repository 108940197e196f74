#include "campaign/zoo/document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "campaign/commands.h"
#include "campaign/zoo/results.h"
#include "zoo/catalogue.h"

namespace w4::zoo {
namespace {

using nlohmann::json;

constexpr const char* kHead =
    "# Kill table\n\n"
    "Written by `ci/zoo_table.sh`; docs/zoo.md says what the columns mean. Times are of one "
    "machine of two "
    "cores, with a mutant a core.\n\n";

std::string first_sentence(const std::string& text) {
  const size_t end = std::min(text.find(". "), text.find(": "));
  std::string out = text.substr(0, end);
  while (out.ends_with('.')) out.pop_back();
  std::ranges::replace(out, '|', '/');
  return out;
}

const json* run_of(const json& row, std::string_view generator) {
  for (const json& r : row.at("runs")) {
    if (r.at("generator") == generator) return &r;
  }
  return nullptr;
}

// Cases until the first kill of a generator; "-": none.
std::string cases_of(const json& row, std::string_view generator) {
  const json* run = run_of(row, generator);
  if (run == nullptr) return "";
  int64_t least = -1;
  for (const json& k : run->at("kills")) {
    const auto cases = k.at("cases").get<int64_t>();
    if (least < 0 || cases < least) least = cases;
  }
  return least < 0 ? "-" : fmt::format("{}", least);
}

std::set<std::string> oracles_of(const json& row) {
  std::set<std::string> out;
  for (const json& r : row.at("runs")) {
    for (const json& k : r.at("kills")) out.insert(k.at("oracle").get<std::string>());
  }
  return out;
}

// Of one mutant over the seeds.
struct Seeds {
  size_t killed = 0, of = 0;
  double median_cases = 0, most_cases = 0, most_seconds = 0;
};

std::map<std::string, Seeds> seeds_of(const json& seeds) {
  std::map<std::string, Seeds> out;
  for (const json& m : seeds.at("mutants")) {
    Seeds s;
    std::vector<double> cases;
    for (const json& r : m.at("runs")) {
      ++s.of;
      if (!r.at("killed").get<bool>()) continue;
      cases.push_back(r.at("cases").get<double>());
      s.most_seconds = std::max(s.most_seconds, r.at("seconds").get<double>());
    }
    s.killed = cases.size();
    s.median_cases = median(cases);
    s.most_cases = cases.empty() ? 0 : *std::ranges::max_element(cases);
    out[m.at("mutant").get<std::string>()] = s;
  }
  return out;
}

// Counts by a name, most first.
std::string counts(const std::map<std::string, int>& of) {
  std::vector<std::pair<std::string, int>> sorted(of.begin(), of.end());
  // By hand stable: libstdc++ 12's stable_sort does not build without warnings.
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::string out;
  for (const auto& [name, count] : sorted)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, count);
  return out;
}

struct Summary {
  int mutants = 0, killed = 0, recipe = 0, recipe_of = 0;
  int64_t clean_cases = 0, clean_red = 0;
  std::map<std::string, int> by_oracle, alone, diagnoses;
};

std::string row_text(const json& row, const std::map<std::string, Seeds>& seeds, Summary& sum) {
  const std::string name = row.at("mutant");
  const std::set<std::string> oracles = oracles_of(row);
  ++sum.mutants;
  sum.killed += row.at("killed").get<bool>() ? 1 : 0;
  for (const std::string& o : oracles) ++sum.by_oracle[o];
  if (oracles.size() == 1) ++sum.alone[*oracles.begin()];
  std::string explained, recipe;
  if (row.contains("explain")) {
    explained = row.at("explain").at("diagnosis");
    ++sum.diagnoses[explained];
  }
  if (row.contains("recipe")) {
    const auto failed = row.at("recipe").at("failed").get<int>();
    ++sum.recipe_of;
    sum.recipe += failed > 0 ? 1 : 0;
    recipe = failed > 0 ? fmt::format("{}", failed) : "-";
  }
  std::string hunted = "audit only", cases, worst;
  if (const auto at = seeds.find(name); at != seeds.end()) {
    hunted = fmt::format("{}/{}", at->second.killed, at->second.of);
    cases = fmt::format("{:g}", at->second.median_cases);
    worst = fmt::format("{:g}, {:.1f} s", at->second.most_cases, at->second.most_seconds);
  }
  const std::string says = row.contains("stale") ? "stale: " + row.at("stale").get<std::string>()
                                                 : first_sentence(row.at("says"));
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name,
                     fmt::join(row.at("covers").get<std::vector<std::string>>(), " "), says, hunted,
                     cases, worst, cases_of(row, "suites"),
                     oracles.empty() ? "none" : fmt::format("{}", fmt::join(oracles, " ")),
                     explained, recipe);
}

std::string summary(const Summary& s, const json& seeds) {
  std::string out =
      fmt::format("{} mutants, {} killed with the default budget.", s.mutants, s.killed);
  const auto killed = seeds.at("killed").get<std::vector<int>>();
  const auto hunted = seeds.at("hunted").get<int>();
  if (!killed.empty() && hunted > 0) {
    const int worst = *std::ranges::min_element(killed);
    out += fmt::format(
        " By the random campaign alone, {} seeds: {} to {} of {} ({:.1f} % on the worst seed); {} "
        "more "
        "are of selection, which only an audit shows.",
        killed.size(), worst, *std::ranges::max_element(killed), hunted, 100.0 * worst / hunted,
        seeds.at("audit_only").get<int>());
  }
  std::vector<double> cases, seconds;
  for (const json& m : seeds.at("mutants")) {
    for (const json& r : m.at("runs")) {
      if (!r.at("killed").get<bool>()) continue;
      cases.push_back(r.at("cases").get<double>());
      seconds.push_back(r.at("seconds").get<double>());
    }
  }
  if (!cases.empty()) {
    out += fmt::format(
        " To the kill: median {:g} cases and {:.2f} s, at most {:g} cases and {:.1f} s.",
        median(cases), median(seconds), *std::ranges::max_element(cases),
        *std::ranges::max_element(seconds));
  }
  out += fmt::format("\n\nKills by oracle: {}. By that oracle alone: {}.\n", counts(s.by_oracle),
                     s.alone.empty() ? "none" : counts(s.alone));
  if (!s.diagnoses.empty())
    out += fmt::format("\n`explain` on a killing case: {}.\n", counts(s.diagnoses));
  if (s.recipe_of > 0) {
    out += fmt::format(
        "\nUpstream's own tests (`w4check recipe`: allclose 2e-2 on their shapes): {} of {} "
        "caught.\n",
        s.recipe, s.recipe_of);
  }
  out += fmt::format("\nClean kernels, the same generators: {} cases, {} red.\n\n", s.clean_cases,
                     s.clean_red);
  return out;
}

}  // namespace

Result<std::string> kill_table(const std::vector<json>& hunted, const json& seeds) {
  try {
    const auto by_seed = seeds_of(seeds);
    Summary sum;
    std::string table =
        "| mutant | rows | defect | seeds | median cases | most | suites | oracles | explain | "
        "upstream's tests |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (const json& row : hunted) {
      if (row.contains("mutant")) {
        table += row_text(row, by_seed, sum);
        continue;
      }
      for (const json& r : row.at("runs")) {
        sum.clean_cases += r.at("cases").get<int64_t>();
        sum.clean_red += r.at("not_counted").get<int64_t>();
      }
    }
    return kHead + summary(sum, seeds) + table;
  } catch (const json::exception& e) {
    return fail("no result of `w4check zoo --json`: {}", e.what());
  }
}

int document(const std::string& hunted_file, const std::string& seeds_file) {
  std::vector<json> hunted;
  json seeds;
  for (const std::string& file : {hunted_file, seeds_file}) {
    const auto text = read_file(file);
    if (!text) return usage_error(text.error().text);
    std::istringstream in(*text);
    for (std::string line; std::getline(in, line);) {
      json row = json::parse(line, nullptr, false);
      if (!row.is_object()) return usage_error(fmt::format("{}: a line is no JSON object", file));
      if (row.contains("audit_only")) {
        seeds = std::move(row);
      } else {
        hunted.push_back(std::move(row));
      }
    }
  }
  if (hunted.empty())
    return usage_error(fmt::format("{}: no line of `w4check zoo --json`", hunted_file));
  if (seeds.is_null())
    return usage_error(fmt::format("{}: no line of `w4check zoo --seeds --json`", seeds_file));
  const auto text = kill_table(hunted, seeds);
  if (!text) return usage_error(text.error().text);
  fmt::print("{}", *text);
  return kGreen;
}

}  // namespace w4::zoo
