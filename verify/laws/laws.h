// The table of laws: each with the function that plans it (plan.h). An error says why the law does
// not apply to the case.
#pragma once

#include "core/law.h"
#include "verify/laws/plan.h"

namespace w4 {

using Planner = Result<Plan> (*)(const Given&);

// On input: not reference.
Planner planner_of(Law l);

// powers.cpp
Result<Plan> plan_power_act(const Given& g);
Result<Plan> plan_power_scale(const Given& g);
// shape.cpp
Result<Plan> plan_permute_n(const Given& g);
Result<Plan> plan_split_groups(const Given& g);
Result<Plan> plan_extend_k(const Given& g);
// rows.cpp
Result<Plan> plan_row_alone(const Given& g);
Result<Plan> plan_row_isolation(const Given& g);
Result<Plan> plan_tail_act(const Given& g);
// zeros.cpp
Result<Plan> plan_zero_shift(const Given& g);
Result<Plan> plan_implicit_8(const Given& g);
Result<Plan> plan_zero_form(const Given& g);
Result<Plan> plan_unused_zeros(const Given& g);
// bias.cpp
Result<Plan> plan_no_bias(const Given& g);
Result<Plan> plan_bias_adds(const Given& g);
// launches.cpp
Result<Plan> plan_repeat(const Given& g);
Result<Plan> plan_schedule(const Given& g);
Result<Plan> plan_cu_count(const Given& g);
Result<Plan> plan_addresses(const Given& g);
// one_hot.cpp
Result<Plan> plan_one_hot(const Given& g);
// parts.cpp
Result<Plan> plan_routes(const Given& g);
Result<Plan> plan_k_shards(const Given& g);
Result<Plan> plan_experts_dense(const Given& g);

}  // namespace w4
