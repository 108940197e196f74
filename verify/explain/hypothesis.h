// The hypotheses of `w4check explain`: ways in which kernels of this family have gone wrong, each
// with what the outputs would then be. One table; a row with parameters (which other G, how many k
// at the end) is one hypothesis with several variants.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verify/explain/recipe.h"

namespace w4::explain {

struct Variant {
  std::string says;  // the row's sentence with its numbers; the same numbers give the same text
  Recipe recipe;
};

struct Hypothesis {
  std::string_view name;     // "group.size"
  std::string_view says;     // one sentence
  std::string_view defects;  // public defects of this kind, by the ids of the project's catalogue
  std::string_view when;     // where it can show
  // What it predicts for a call; none where it does not apply. Variants point into `o`.
  std::vector<Variant> (*variants)(const Observed& o);
};

// In order of preference where several say the same.
std::span<const Hypothesis> all_hypotheses();

// Families; the table is their concatenation (hypotheses.cpp).
std::span<const Hypothesis> group_hypotheses();
std::span<const Hypothesis> zero_hypotheses();
std::span<const Hypothesis> weight_hypotheses();
std::span<const Hypothesis> scale_hypotheses();
std::span<const Hypothesis> bias_hypotheses();
std::span<const Hypothesis> act_hypotheses();
std::span<const Hypothesis> output_hypotheses();
std::span<const Hypothesis> expert_hypotheses();
std::span<const Hypothesis> numeric_hypotheses();

}  // namespace w4::explain
