// Suites: named sets of cases, each a pure function of one seed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/case.h"

namespace w4 {

struct Suite {
  std::string_view name;
  std::string_view says;  // what it covers, and what it leaves out: for `list` and --help
  // `seed` is that of the input data of every case; smoke also draws its cases from it.
  std::vector<Case> (*cases)(uint64_t seed);
};

std::span<const Suite> suites();
const Suite* find_suite(std::string_view name);

}  // namespace w4
