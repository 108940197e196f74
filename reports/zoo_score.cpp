#include "reports/zoo_score.h"

namespace w4 {
namespace {

using nlohmann::json;

constexpr size_t kNamed = 10;

// The objects that `zoo --json` writes, a line each, however they were put together.
void each_row(const json& of, const auto& take) {
  if (of.is_array()) {
    for (const json& row : of) {
      if (row.is_object()) take(row);
    }
  } else if (of.is_object()) {
    for (const json& part : of) {
      if (part.is_array()) each_row(part, take);
    }
  }
}

int64_t sum(const json& row, const char* name) {
  int64_t out = 0;
  for (const json& run : row.value("runs", json::array())) {
    const auto at = run.find(name);
    if (at != run.end() && at->is_number_integer()) out += at->get<int64_t>();
  }
  return out;
}

}  // namespace

Result<json> zoo_score(Store& store, std::string_view build) {
  const auto all = documents(store, "zoo");
  if (!all) return std::unexpected(all.error());
  for (const StoredDocument& d : *all) {
    int64_t mutants = 0, killed = 0, clean_cases = 0, clean_red = 0;
    json survivors = json::array();
    each_row(json::parse(d.json, nullptr, false), [&](const json& row) {
      if (row.contains("mutant") && row["mutant"].is_string()) {
        ++mutants;
        const auto at = row.find("killed");
        const bool dead = at != row.end() && at->is_boolean() && at->get<bool>();
        killed += dead ? 1 : 0;
        if (!dead && survivors.size() < kNamed) survivors.push_back(row["mutant"]);
      } else if (row.contains("clean")) {
        clean_cases += sum(row, "cases"), clean_red += sum(row, "not_counted");
      }
    });
    if (mutants == 0) continue;
    return json{{"name", d.name},
                {"build", d.build_id},
                {"same_build", d.build_id == build},
                {"at", d.at},
                {"mutants", mutants},
                {"killed", killed},
                {"survivors", survivors},
                {"clean_cases", clean_cases},
                {"clean_red", clean_red}};
  }
  return nullptr;
}

}  // namespace w4
