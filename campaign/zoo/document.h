// docs/kill-table.md, from what `w4check zoo --json` wrote.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/result.h"

namespace w4::zoo {

// `hunted`: the objects of a run, mutants and clean kernels; `seeds`: the object of a run with
// --seeds. Errors: an object of another shape.
Result<std::string> kill_table(const std::vector<nlohmann::json>& hunted,
                               const nlohmann::json& seeds);

// `w4check zoo document`: reads the two files, prints the document. Exit code 0 or 2.
int document(const std::string& hunted_file, const std::string& seeds_file);

}  // namespace w4::zoo
