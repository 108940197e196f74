#include "campaign/report/evidence.h"

#include <fmt/format.h>

#include <string>

#include "rdna/captured.h"
#include "rdna/catalogue.h"
#include "rdna/table.h"

namespace w4 {
namespace {

using nlohmann::json;

std::string_view level_of(rdna::Evidence e) {
  switch (e) {
    case rdna::Evidence::ieee:
      return "exact";
    case rdna::Evidence::document:
      return "documented";
    case rdna::Evidence::public_report:
    case rdna::Evidence::hardware_capture:
      return "measured";
  }
  return "unknown";
}

// Whether the models differ in it: the catalogue says so of dot products and matrix instructions.
bool by_model(const std::vector<rdna::NumericException>& exceptions) {
  for (const rdna::NumericException& e : exceptions) {
    if (e.says.find("by fp=") != std::string_view::npos) return true;
  }
  return false;
}

// rdna/isa/README.md, "three models".
json models() {
  return {{"gfx1151",
           {{"level", "measured"},
            {"says",
             "dot products and matrix instructions add as gfx1151 and gfx1100 were measured to; "
             "other chips of gfx11 are taken to be alike"}}},
          {"gfx1201",
           {{"level", "measured"},
            {"says",
             "dot products and matrix instructions add as gfx1201 was measured to; other chips of "
             "gfx12 are taken to be alike"}}},
          {"ieee",
           {{"level", "assumed"},
            {"says",
             "dot products round once and matrix instructions once a product; chips were measured "
             "to add otherwise"}}}};
}

}  // namespace

json evidence_fact() {
  json instructions = json::object();
  for (const rdna::Row* r : rdna::all_rows()) {
    if (r->evidence == rdna::Evidence::ieee) continue;
    const auto exceptions = rdna::numeric_exceptions(r->mnemonic);
    std::string says;
    for (const rdna::NumericException& e : exceptions) {
      says += fmt::format("{}{} [{}]", says.empty() ? "" : "; ", e.says, e.source);
    }
    if (says.empty()) says = fmt::format("rests on: {}", rdna::name_of(rdna::evidence_of(*r)));
    instructions[std::string(r->mnemonic)] = {{"level", level_of(rdna::evidence_of(*r))},
                                              {"says", std::move(says)},
                                              {"by_model", by_model(exceptions)}};
  }
  return {{"models", models()}, {"instructions", std::move(instructions)}};
}

}  // namespace w4
