#include "core/contract.h"

#include <algorithm>

#include "core/clauses.h"

namespace w4 {

std::span<const Clause> all_clauses() {
  static const std::vector<Clause> all = [] {
    std::vector<Clause> out;
    for (const auto part : {clauses::decode(), clauses::source(), clauses::layer(), clauses::moe(),
                            clauses::manifest()}) {
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }();
  return all;
}

const Clause* find_clause(std::string_view name) {
  const auto found = std::ranges::find(all_clauses(), name, &Clause::name);
  return found == all_clauses().end() ? nullptr : &*found;
}

bool of_source(std::string_view clause) {
  return clause.starts_with("source.") || clause.starts_with("shard.") || clause == "act.order";
}

std::vector<std::string> broken_clauses(std::span<const std::string> declared, const Problem& p,
                                        const Reported& r) {
  std::vector<std::string> names;
  for (const std::string& name : declared) {
    const Clause* clause = find_clause(name);
    if (clause != nullptr && clause->broken(p, r)) names.push_back(name);
  }
  return names;
}

}  // namespace w4
