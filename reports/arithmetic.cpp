#include "reports/arithmetic.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace w4 {
namespace {

using nlohmann::json;

// From the weakest.
constexpr std::array<std::string_view, 5> kLevels{"unknown", "assumed", "documented", "measured",
                                                  "exact"};

size_t rank(const std::string& level) {
  return static_cast<size_t>(std::ranges::find(kLevels, level) - kLevels.begin()) % kLevels.size();
}

json member(const json& of, const char* group, const std::string& name) {
  const auto in = of.find(group);
  if (in == of.end()) return json::object();
  const auto at = in->find(name);
  return at == in->end() ? json::object() : *at;
}

// What an instruction rests on under a model: of dot products and matrices the model's word counts.
std::string level_of(const json& evidence, const std::string& fp, const std::string& mnemonic) {
  const json i = member(evidence, "instructions", mnemonic);
  if (i.value("by_model", false)) return member(evidence, "models", fp).value("level", "unknown");
  return i.value("level", "unknown");
}

}  // namespace

void ArithmeticUsed::add(const Seen& seen) {
  const Provenance& ran = seen.verdict().ran;
  if (ran.wave_instructions == 0) return;  // nothing was emulated
  Used& used = by_model_[ran.fp];
  ++used.cases;
  if (seen.filed.json_kept) {
    ++used.sets[ran.evidence];
  } else {
    ++not_kept_;
  }
}

json ArithmeticUsed::finish(const json& evidence) const {
  const json known = evidence.is_object() ? evidence : json::object();
  std::map<std::string, int64_t> levels;
  std::map<std::pair<std::string, std::string>, int64_t> instructions;  // {fp, mnemonic}: cases
  for (const auto& [fp, used] : by_model_) {
    for (const auto& [set, cases] : used.sets) {
      size_t weakest = kLevels.size() - 1;
      std::istringstream words(set);
      for (std::string m; words >> m;) {
        weakest = std::min(weakest, rank(level_of(known, fp, m)));
        instructions[{fp, m}] += cases;
      }
      levels[std::string(kLevels.at(weakest))] += cases;
    }
  }
  json out{{"not_kept", not_kept_}, {"weakest", nullptr}};
  for (const char* list : {"levels", "models", "instructions"}) out[list] = json::array();
  for (const std::string_view level : kLevels) {
    const auto at = levels.find(std::string(level));
    if (at == levels.end()) continue;
    if (out["weakest"].is_null()) out["weakest"] = level;
    out["levels"].push_back({{"level", level}, {"cases", at->second}});
  }
  for (const auto& [fp, used] : by_model_) {
    const json m = member(known, "models", fp);
    out["models"].push_back({{"fp", fp},
                             {"level", m.value("level", "unknown")},
                             {"says", m.value("says", "")},
                             {"cases", used.cases}});
  }
  for (const auto& [key, cases] : instructions) {
    const json i = member(known, "instructions", key.second);
    out["instructions"].push_back({{"instruction", key.second},
                                   {"fp", key.first},
                                   {"level", level_of(known, key.first, key.second)},
                                   {"says", i.value("says", "")},
                                   {"cases", cases}});
  }
  return out;
}

}  // namespace w4
