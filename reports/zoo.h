// What the harness catches: the mutants of the zoo, by which oracle and how soon (document "zoo").
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/section.h"

namespace w4 {

// Of each name the newest document: whole hunts, and hunts of the random campaign with several
// seeds (each an object of docs/report.md's "zoo"); notes of those that cannot be read.
struct FiledHunts {
  // The widest first, the newer of equals: a hunt of one family says little of the harness.
  std::vector<nlohmann::json> hunts;
  std::vector<nlohmann::json> seeds;
  std::vector<std::string> notes;
};
Result<FiledHunts> filed_hunts(Store& store, const ReportContext& context);

std::unique_ptr<Section> zoo_section();  // "zoo"

}  // namespace w4
