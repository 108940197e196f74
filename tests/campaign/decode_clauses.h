// Which clauses of decode a case breaks, whatever kernel it is for.
#pragma once

#include <string>
#include <vector>

#include "core/case.h"
#include "core/contract.h"

namespace w4 {

inline std::vector<std::string> all_clause_names() {
  std::vector<std::string> names;
  for (const Clause& c : all_clauses()) {
    if (of_decode(c)) names.emplace_back(c.name);
  }
  return names;
}

inline std::vector<std::string> broken(const Case& c) {
  return broken_clauses(all_clause_names(), c.problem,
                        resolve_reported(c.problem, *find_gpu(c.device)));
}

}  // namespace w4
