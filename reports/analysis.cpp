#include "reports/analysis.h"

#include <nlohmann/json.hpp>

#include "results/documents.h"

namespace w4 {

using nlohmann::json;

namespace {

// Empty where it is something else: a store may come from anywhere.
std::string text(const json& of, const char* key) {
  if (!of.is_object()) return "";
  const auto at = of.find(key);
  return at != of.end() && at->is_string() ? at->get<std::string>() : "";
}

}  // namespace

Result<json> stored_analysis(Store& store, const StoredFailure& f) {
  for (const std::string& line : {f.smallest_line, f.first_line}) {
    if (line.empty()) continue;
    const auto document = find_document(store, "depiction", line, f.build_id);
    if (!document) return std::unexpected(document.error());
    if (!*document) continue;
    json kept = json::parse((*document)->json, nullptr, false);
    if (!kept.is_object()) continue;
    kept["depicted_at"] = (*document)->at;
    return kept;
  }
  return json();
}

std::string says_of(const json& analysis) {
  if (!analysis.is_object() || !analysis.contains("explanation")) return "";
  const json& e = analysis.at("explanation");
  const std::string certainty = text(e, "certainty");
  if (certainty == "stated") return text(e, "says");
  if (!e.is_object() || !e.contains("hypotheses")) return "";
  const json& all = e.at("hypotheses");
  return all.is_array() && all.size() == 1 ? text(all[0], "says") : "";
}

}  // namespace w4
