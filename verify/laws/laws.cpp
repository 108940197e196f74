#include "verify/laws/laws.h"

#include <algorithm>
#include <array>

namespace w4 {
namespace {

struct Row {
  Law law;
  Planner plan;
};

constexpr std::array kRows{
    Row{Law::power_act, plan_power_act},
    Row{Law::power_scale, plan_power_scale},
    Row{Law::permute_n, plan_permute_n},
    Row{Law::row_alone, plan_row_alone},
    Row{Law::row_isolation, plan_row_isolation},
    Row{Law::zero_shift, plan_zero_shift},
    Row{Law::implicit_8, plan_implicit_8},
    Row{Law::zero_form, plan_zero_form},
    Row{Law::unused_zeros, plan_unused_zeros},
    Row{Law::split_groups, plan_split_groups},
    Row{Law::no_bias, plan_no_bias},
    Row{Law::bias_adds, plan_bias_adds},
    Row{Law::extend_k, plan_extend_k},
    Row{Law::tail_act, plan_tail_act},
    Row{Law::repeat, plan_repeat},
    Row{Law::schedule, plan_schedule},
    Row{Law::cu_count, plan_cu_count},
    Row{Law::addresses, plan_addresses},
    Row{Law::one_hot, plan_one_hot},
    Row{Law::routes, plan_routes},
    Row{Law::k_shards, plan_k_shards},
    Row{Law::experts_dense, plan_experts_dense},
};

// Every law but reference, in the order of core/law.h.
static_assert([] {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<size_t>(kRows[i].law) != i + 1) return false;
  }
  return kRows.back().law == Law::experts_dense;
}());

}  // namespace

Planner planner_of(Law l) { return std::ranges::find(kRows, l, &Row::law)->plan; }

}  // namespace w4
