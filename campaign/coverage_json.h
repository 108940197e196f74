// Coverage of machine code as the document "coverage" of a store (results/documents.h), which the
// report shows.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <regex>

#include "rdna/coverage.h"

namespace w4 {

struct CoveredBy {
  int64_t cases = 0, red = 0;  // that ran, of them not green
};

// {"cases", "red",
//  "kernels": [{"kernel", "arch", "instructions", "run", "edges", "edges_run", "launches",
//               "waves"}],
//  "lines": {"all", "never": [{"source": "decode.hip:120", "instructions", "kernels"}],
//            "partly": [… and "entered", "run"]}}
// Kernels whose demangled name has a match of `names`, and the source lines that their code comes
// from: `never` ran in none of them, `partly` in some only.
nlohmann::json coverage_json(const rdna::Coverage& coverage, const std::regex& names,
                             const CoveredBy& by);

}  // namespace w4
