// Suites: named sets of cases, each a pure function of one seed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "verify/cases/coverage.h"

namespace w4 {

struct Suite {
  std::string_view name;
  std::string_view says;  // what it covers, and what it leaves out: for `list` and --help
  // `seed` is that of the input data of every case; smoke also draws its cases from it.
  std::vector<Case> (*cases)(uint64_t seed);
  // On every device it runs on, each kernel that the objects of its rows promise must have been
  // launched (kernels/expectations.h); otherwise the run is red.
  bool every_instantiation = false;
  // What its cases must show together (oracles.md 8), as shares of the cases that ran; otherwise
  // the run is red. nullptr: it claims nothing.
  std::vector<Coverage::Floor> (*floors)() = nullptr;
};

// A decode case of this size, every other key at its default.
inline Case decode_case(int64_t m, int64_t n, int64_t k, int64_t g, DType act, uint64_t seed) {
  Case c;
  c.kernel = "decode";
  c.problem.m = m;
  c.problem.n = n;
  c.problem.k = k;
  c.problem.g = g;
  c.problem.act = act;
  c.seed = seed;
  return c;
}

std::span<const Suite> suites();
const Suite* find_suite(std::string_view name);

}  // namespace w4
