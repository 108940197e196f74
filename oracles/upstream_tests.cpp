#include "oracles/upstream_tests.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace w4 {
namespace {

using What = UpstreamTest::What;

constexpr std::array kTypes{DType::f16, DType::bf16};
constexpr std::array<int64_t, 3> kGroups{32, 64, 128};

struct Shape {
  int64_t m, k, n, g;
};
constexpr std::array<Shape, 5> kDirect{{{1, 256, 256, 32},
                                        {1, 256, 256, 64},
                                        {1, 512, 256, 128},
                                        {2, 512, 256, 64},
                                        {3, 256, 512, 64}}};
constexpr std::array<Shape, 5> kDispatch{{{1, 256, 256, 64},
                                          {1, 512, 256, 32},
                                          {1, 512, 256, 128},
                                          {32, 512, 256, 64},
                                          {64, 1024, 256, 128}}};

Problem problem_of(const Shape& s, DType act) {
  Problem p;
  p.m = s.m, p.n = s.n, p.k = s.k, p.g = s.g, p.act = act;
  return p;
}

void apply(std::vector<UpstreamTest>& to, ZpMode encoding) {
  for (const DType act : kTypes) {
    for (const int64_t g : kGroups) {
      for (const ZpMode zp : {ZpMode::none, encoding}) {
        for (const int64_t m : {1, 5, 6, 64}) {
          Problem p = problem_of({m, 1024, 256, g}, act);
          p.zp = zp;
          to.push_back({What::apply,
                        fmt::format("apply {} g{} {} m{}", name_of(act), g,
                                    zp == ZpMode::none ? "symmetric" : name_of(zp), m),
                        p, 2e-2, 2e-2});
        }
      }
    }
  }
  for (const DType act : kTypes) {
    for (const int64_t m : {1, 6}) {
      Problem p = problem_of({m, 1024, 128, 128}, act);
      p.bias = {.rank = 1, .dim = {}};
      to.push_back({What::apply, fmt::format("bias {} m{}", name_of(act), m), p, 2e-2, 2e-2});
    }
  }
}

void preparation(std::vector<UpstreamTest>& to, ZpMode encoding) {
  // Their test packs [4,16]; a checkpoint has whole groups, so it is one group of 32 here.
  Problem p = problem_of({1, 32, 4, 32}, DType::f16);
  p.src = Source::ct;
  to.push_back({What::layout, "layout of packed weights", p});
  for (const ZpMode zp : {ZpMode::none, encoding}) {
    for (const int64_t g : kGroups) {
      p = problem_of({1, 256, 128, g}, DType::f16);
      p.src = Source::ct, p.zp = zp;
      to.push_back(
          {What::weights,
           fmt::format("weights g{} {}", g, zp == ZpMode::none ? "symmetric" : name_of(zp)), p});
    }
  }
  for (const int64_t g : {32, 64, 128, 256}) {
    to.push_back({.what = What::can_implement,
                  .name = fmt::format("can_implement g{}", g),
                  .problem = problem_of({1, 1024, 256, g}, DType::f16),
                  .legal = g != 256});
  }
}

void shapes(std::vector<UpstreamTest>& to, What what, std::string_view name,
            std::span<const Shape> all) {
  for (const DType act : kTypes) {
    for (const Shape& s : all) {
      to.push_back({what,
                    fmt::format("{} {} m{} k{} n{} g{}", name, name_of(act), s.m, s.k, s.n, s.g),
                    problem_of(s, act), 1e-2, 5e-2});
    }
  }
}

}  // namespace

std::vector<UpstreamTest> upstream_tests(ZpMode zp) {
  std::vector<UpstreamTest> out;
  apply(out, zp);
  preparation(out, zp);
  shapes(out, What::direct, "direct", kDirect);
  shapes(out, What::apply, "dispatch", kDispatch);
  return out;
}

}  // namespace w4
