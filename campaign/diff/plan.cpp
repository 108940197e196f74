#include "campaign/diff/plan.h"

#include <algorithm>
#include <unordered_set>

#include "campaign/figure_rows.h"
#include "campaign/kernel_cases.h"
#include "campaign/plan.h"
#include "core/contract.h"
#include "verify/cases/break_clause.h"

namespace w4::diff {
namespace {

class Different {
 public:
  void add(Case c, bool run) {
    c.law = Law::reference;
    c.module.clear(), c.prep.clear();
    if (seen_.insert(to_string(c)).second) calls_.push_back({std::move(c), run, false});
  }
  std::vector<Call> take() { return std::move(calls_); }

 private:
  std::vector<Call> calls_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Result<Drawn> draw(const std::vector<Compared>& kernels, const Draw& how) {
  const std::vector<std::string_view> devices(how.devices.begin(), how.devices.end());
  Different drawn;
  int64_t not_drawn = 0;
  // Round by round, so that a budget that ends early has taken from every kernel.
  for (int64_t i = 0; i < how.cases; ++i) {
    for (const Compared& k : kernels) {
      if (how.stop()) {
        ++not_drawn;
        continue;
      }
      NumberedChooser choose(how.seed, i);
      drawn.add(kernel_case({k.name, k.experts}, devices, choose, i), true);
    }
  }
  for (const Compared& k : kernels) {
    for (const std::string_view device : devices) {
      for (Case& c : lds_edge_cases({k.name, k.experts}, device)) drawn.add(std::move(c), true);
    }
  }
  const int64_t rounds =
      std::max<int64_t>(1, how.cases / 3 / static_cast<int64_t>(breakable_clauses().size()) + 1);
  for (int64_t round = 0; round < rounds && (round == 0 || !how.stop()); ++round) {
    for (const Compared& k : kernels) {
      std::set<std::string_view> clauses(breakable_clauses().begin(), breakable_clauses().end());
      for (const std::string& declared : k.clauses) clauses.insert(routed_name(declared).clause);
      int64_t number = how.cases + round * 1000;
      for (const std::string_view clause : clauses) {
        NumberedChooser choose(how.seed, number);
        Case legal = kernel_case({k.name, k.experts}, devices, choose, number++);
        drawn.add(break_clause(std::move(legal), clause, choose), false);
      }
    }
  }
  if (!how.suites.empty()) {
    PlanOptions options;
    options.suites = how.suites;
    options.seed = how.seed;
    auto plan = make_plan(options);
    if (!plan) return std::unexpected(plan.error());
    for (PlannedCase& p : *plan) {
      const bool wanted =
          std::ranges::any_of(kernels, [&](const Compared& k) { return k.name == p.value.kernel; });
      if (!wanted) continue;
      if (std::ranges::find(how.devices, p.value.device) == how.devices.end())
        p.value.device = how.devices.front();
      drawn.add(std::move(p.value), true);
    }
  }
  return Drawn{drawn.take(), not_drawn};
}

std::vector<Case> work_cases(const Compared& kernel, const std::string& device) {
  const std::vector<std::string_view> rows = generator_rows({kernel.name, kernel.experts});
  std::vector<Case> out;
  for (const Case& c : default_figure_cases(false)) {
    if (std::ranges::find(rows, c.kernel) == rows.end()) continue;
    for (const auto& [zp, g] :
         {std::pair{ZpMode::packed, 128}, {ZpMode::unpacked, 32}, {ZpMode::none, 64}}) {
      Case one = c;
      one.kernel = kernel.name;
      one.device = device;
      one.problem.zp = zp;
      one.problem.g = g;
      out.push_back(std::move(one));
    }
  }
  return out;
}

}  // namespace w4::diff
