#include "reports/zoo_score.h"

#include "reports/zoo.h"

namespace w4 {

using nlohmann::json;

Result<json> zoo_score(Store& store, const ReportContext& context) {
  constexpr size_t kNamed = 10;
  const auto filed = filed_hunts(store, context);
  if (!filed) return std::unexpected(filed.error());
  if (filed->hunts.empty() || filed->hunts.front().at("total") == 0) return nullptr;
  const json& hunt = filed->hunts.front();
  int64_t clean_cases = 0, clean_red = 0;
  for (const json& c : hunt.at("clean")) {
    clean_cases += c.at("cases").get<int64_t>(), clean_red += c.at("red").get<int64_t>();
  }
  json survivors = json::array();
  for (const json& m : hunt.at("mutants")) {
    if (!m.at("killed").get<bool>() && survivors.size() < kNamed) survivors.push_back(m.at("name"));
  }
  return json{{"name", hunt.at("name")},
              {"build", hunt.at("build")},
              {"same_build", hunt.at("build") == context.run.build_id},
              {"at", hunt.at("at")},
              {"mutants", hunt.at("total")},
              {"killed", hunt.at("killed")},
              {"survivors", std::move(survivors)},
              {"clean_cases", clean_cases},
              {"clean_red", clean_red}};
}

}  // namespace w4
