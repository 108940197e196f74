// Minima and maxima in pairs against ordered choice: -0 below +0, a NaN loses in the "num" and
// older forms and wins in minimum and maximum.
#include <cmath>
#include <limits>

#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

double choose(double a, double b, bool greater, bool nan_wins) {
  if (std::isnan(a) || std::isnan(b)) {
    if (nan_wins || (std::isnan(a) && std::isnan(b))) return NAN;
    return std::isnan(a) ? b : a;
  }
  const bool a_below = a < b || (a == b && std::signbit(a) && !std::signbit(b));
  return a_below == greater ? b : a;
}

struct Case {
  const char* mnemonic;
  bool half, first_greater, second_greater, nan_wins;
};
constexpr Case kCases[] = {
    {"v_minmax_f16", true, false, true, false},
    {"v_maxmin_f16", true, true, false, false},
    {"v_minmax_num_f16", true, false, true, false},
    {"v_maxmin_num_f16", true, true, false, false},
    {"v_minimum3_f16", true, false, false, true},
    {"v_maximum3_f16", true, true, true, true},
    {"v_minimummaximum_f16", true, false, true, true},
    {"v_maximumminimum_f16", true, true, false, true},
    {"v_minimum3_f32", false, false, false, true},
    {"v_maximum3_f32", false, true, true, true},
    {"v_minimummaximum_f32", false, false, true, true},
    {"v_maximumminimum_f32", false, true, false, true},
};

TEST(VOP3, MinimaAndMaximaInPairs) {
  const double edges[] = {0.0,      -0.0,     1.0,       -1.0, 0.5,    3.0,
                          -65504.0, INFINITY, -INFINITY, NAN,  0x1p-24};
  for (const Case& c : kCases) {
    for (const double x : edges) {
      for (const double y : edges) {
        Bench b;
        const auto bits = [&](double v) -> uint32_t {
          if (!c.half) return std::bit_cast<uint32_t>(static_cast<float>(v));
          return std::bit_cast<uint16_t>(static_cast<_Float16>(v));
        };
        const size_t n = std::size(edges);
        for (size_t l = 0; l < n; ++l) {
          b.v[0].v[l] = bits(x);
          b.v[1].v[l] = bits(y);
          b.v[2].v[l] = bits(edges[l]);
        }
        b.run(c.mnemonic, {Bench::vgpr(4)}, {Bench::vgpr(0), Bench::vgpr(1), Bench::vgpr(2)});
        for (size_t l = 0; l < n; ++l) {
          const double want = choose(choose(x, y, c.first_greater, c.nan_wins), edges[l],
                                     c.second_greater, c.nan_wins);
          const double got =
              c.half
                  ? static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(b.v[4].v[l])))
                  : static_cast<double>(std::bit_cast<float>(b.v[4].v[l]));
          compared(c.mnemonic);
          EXPECT_TRUE(std::isnan(want) ? std::isnan(got)
                                       : got == want && std::signbit(got) == std::signbit(want))
              << c.mnemonic << " of " << x << ", " << y << ", " << edges[l] << ": " << got;
        }
      }
    }
  }
}

}  // namespace
}  // namespace w4::rdna::test
