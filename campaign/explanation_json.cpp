#include "campaign/explanation_json.h"

#include <nlohmann/json.hpp>

#include "results/text.h"

namespace w4 {

nlohmann::json explanation_json(const explain::Explanation& e) {
  nlohmann::json named = nlohmann::json::array();
  for (const explain::Named& n : e.named)
    named.push_back({{"name", n.name}, {"says", n.says}, {"defects", n.defects}, {"also", n.also}});
  return {{"certainty", explain::name_of(e.certainty)},
          {"says", printable_utf8(e.says)},
          {"hypotheses", std::move(named)},
          {"elements", e.elements},
          {"how", printable_utf8(e.how)},
          {"pattern", e.pattern},
          {"interval", e.interval}};
}

}  // namespace w4
