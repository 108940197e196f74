// Numerics declarations that a manifest chooses by name (oracles.md 2): how a weight is rounded,
// how a sum is stored, how it is accumulated.
#pragma once

#include <span>
#include <string_view>

#include "kernels/module.h"

namespace w4 {

template <class F>
struct Named {
  std::string_view name;
  F function;
  std::string_view says;
};

std::span<const Named<decltype(w4_numerics::weight)>> weight_rules();
std::span<const Named<decltype(w4_numerics::store)>> store_rules();
std::span<const Named<decltype(w4_numerics::chain)>> chain_rules();

}  // namespace w4
