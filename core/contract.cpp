#include "core/contract.h"

#include <algorithm>

#include "core/clauses.h"

namespace w4 {

std::span<const Clause> all_clauses() {
  static const std::vector<Clause> all = [] {
    std::vector<Clause> out;
    for (const auto part : {clauses::decode(), clauses::source(), clauses::layer(),
                            clauses::prefill(), clauses::moe(), clauses::manifest()}) {
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }();
  return all;
}

RoutedName routed_name(std::string_view declared) {
  const size_t at = declared.find('@');
  if (at == std::string_view::npos) return {declared, Route::any};
  const std::string_view route = declared.substr(at + 1);
  if (route == "decode") return {declared.substr(0, at), Route::decode};
  if (route == "prefill") return {declared.substr(0, at), Route::prefill};
  return {declared, Route::any};  // no clause is called that
}

const Clause* find_clause(std::string_view name) {
  const auto found = std::ranges::find(all_clauses(), routed_name(name).clause, &Clause::name);
  return found == all_clauses().end() ? nullptr : &*found;
}

bool of_source(std::string_view clause) {
  return clause.starts_with("source.") || clause.starts_with("shard.") || clause == "act.order";
}

namespace {

// The hybrid answers an empty call itself, and otherwise checks it as a call of one row.
Problem on_route(Problem p) {
  if (p.m != 0) return p;
  p.m = 1;
  return p;
}

}  // namespace

std::vector<std::string> broken_clauses(std::span<const std::string> declared, const Problem& p,
                                        const Reported& r) {
  std::vector<std::string> names;
  const Route taken = routes_to_decode(p.m, p.k) ? Route::decode : Route::prefill;
  for (const std::string& name : declared) {
    const auto [plain, route] = routed_name(name);
    if (route != Route::any && route != taken) continue;
    const Clause* clause = find_clause(plain);
    if (clause == nullptr) continue;
    if (clause->broken(route == Route::any ? p : on_route(p), r)) names.emplace_back(plain);
  }
  return names;
}

}  // namespace w4
