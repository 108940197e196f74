// Matrix instructions against a scalar product of matrices that are laid out lane by lane as the
// public documents of gfx11 and gfx12 say.
#include <array>
#include <cmath>
#include <tuple>

#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

enum class Type { f16, bf16, f32 };
using Matrix = std::array<std::array<uint32_t, 16>, 16>;  // bit patterns, [row][column]

float value(Type t, uint32_t bits) {
  if (t == Type::f32) return std::bit_cast<float>(bits);
  if (t == Type::bf16) return std::bit_cast<float>(bits << 16);
  return static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
}
uint32_t rounded(Type t, float x) {
  if (t == Type::f32) return std::bit_cast<uint32_t>(x);
  if (t == Type::f16) return std::bit_cast<uint16_t>(static_cast<_Float16>(x));
  const uint32_t b = std::bit_cast<uint32_t>(x), down = b >> 16;
  if (std::isinf(x) || (b & 0xffffu) < 0x8000u) return down;
  return (b & 0xffffu) > 0x8000u ? down + 1 : down + (down & 1);
}
bool is_nan(Type t, uint32_t bits) { return std::isnan(value(t, bits)); }

struct Shape {
  const char* mnemonic;
  Type in, out;
  bool gfx11;
};

// Register numbers of the three operands; D is C unless a test says otherwise.
constexpr int kA = 0, kB = 8, kC = 16, kD = 24;

int words_in(const Shape& s) { return s.gfx11 ? 8 : 4; }
int words_out(const Shape& s) { return s.gfx11 || s.out == Type::f32 ? 8 : 4; }

// A holds row lane % 16 in each lane, B column lane % 16.
void place_input(Bench& b, const Shape& s, int reg, const Matrix& m, bool transposed) {
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 2 * words_in(s); ++i) {
      const auto line = static_cast<size_t>(lane % 16);
      const auto k = static_cast<size_t>(s.gfx11 ? i : lane / 16 * 8 + i);
      const uint32_t x = transposed ? m[k][line] : m[line][k];
      uint32_t& to = b.v[reg + i / 2].v[lane];
      to = i % 2 ? (to & 0xffffu) | x << 16 : (to & 0xffff0000u) | x;
    }
  }
}
struct Spot {
  int reg, shift;
};
Spot spot(const Shape& s, int row, bool high) {
  if (s.gfx11) return {row / 2, s.out == Type::f32 ? 0 : high ? 16 : 0};
  if (s.out == Type::f32) return {row % 8, 0};
  return {row % 8 / 2, row % 2 * 16};
}
int lane_of(const Shape& s, int row, int column) {
  return column + 16 * (s.gfx11 ? row % 2 : row / 8);
}
void place_sum(Bench& b, const Shape& s, int reg, const Matrix& m, bool high) {
  for (int r = 0; r < 16; ++r) {
    for (int c = 0; c < 16; ++c) {
      const Spot p = spot(s, r, high);
      const uint32_t mask = (s.out == Type::f32 ? ~0u : 0xffffu) << p.shift;
      uint32_t& to = b.v[reg + p.reg].v[lane_of(s, r, c)];
      to = (to & ~mask) | m[static_cast<size_t>(r)][static_cast<size_t>(c)] << p.shift;
    }
  }
}
uint32_t result(const Bench& b, const Shape& s, int reg, int row, int column, bool high) {
  const Spot p = spot(s, row, high);
  const uint32_t x = b.v[reg + p.reg].v[lane_of(s, row, column)];
  return s.out == Type::f32 ? x : x >> p.shift & 0xffffu;
}
bool result_defined(const Bench& b, const Shape& s, int reg, int row, int column, bool high) {
  const Spot p = spot(s, row, high);
  const int l = lane_of(s, row, column);
  const bool lo = b.lo[reg + p.reg] >> l & 1, hi = b.hi[reg + p.reg] >> l & 1;
  if (s.out == Type::f32) return lo && hi;
  return p.shift ? hi : lo;
}

struct Signs {
  bool a_even = false, a_odd = false, b_even = false, b_odd = false, c_neg = false, c_abs = false;
};

uint32_t expected(const Shape& s, const Matrix& a, const Matrix& b, uint32_t c, int row, int column,
                  const Signs& g = {}) {
  float sum = value(s.out, c);
  if (g.c_abs) sum = std::fabs(sum);
  if (g.c_neg) sum = -sum;
  for (size_t k = 0; k < 16; ++k) {
    float x = value(s.in, a[static_cast<size_t>(row)][k]);
    float y = value(s.in, b[k][static_cast<size_t>(column)]);
    if (k % 2 ? g.a_odd : g.a_even) x = -x;
    if (k % 2 ? g.b_odd : g.b_even) y = -y;
    sum = std::fma(x, y, sum);
  }
  return rounded(s.out, sum);
}

class WMMA : public testing::TestWithParam<Shape> {
 protected:
  const Shape s = GetParam();
  std::mt19937_64 rng{11};

  // style 0: any bits; 1: exponents near one, so that no sum is inf.
  uint32_t random_bits(Type t, int style) {
    const auto r = static_cast<uint32_t>(rng());
    if (t == Type::f32) return style ? (r & 0x807fffffu) | (124 + r % 8) << 23 : r;
    if (t == Type::bf16) return style ? (r & 0x807fu) | (124 + (r >> 16) % 8) << 7 : r & 0xffffu;
    return style ? (r & 0x83ffu) | (12 + (r >> 16) % 6) << 10 : r & 0xffffu;
  }
  Matrix random_matrix(Type t, int style) {
    Matrix m;
    for (auto& row : m) {
      for (uint32_t& x : row) x = random_bits(t, style);
    }
    return m;
  }
  Op op(int d, Operand c, uint8_t a_mods = 0, uint8_t b_mods = 0) {
    Op o;
    o.ndst = 1;
    o.dst[0] = Bench::vgpr(d, 0, words_out(s));
    o.nsrc = 3;
    o.src[0] = Bench::vgpr(kA, a_mods, words_in(s));
    o.src[1] = Bench::vgpr(kB, b_mods, words_in(s));
    o.src[2] = c;
    return o;
  }
  Operand sum_at(int reg, uint8_t mods = 0) { return Bench::vgpr(reg, mods, words_out(s)); }
  void expect_product(const Bench& got, int reg, const Matrix& a, const Matrix& b, const Matrix& c,
                      bool high = false, const Signs& g = {}) {
    for (int r = 0; r < 16; ++r) {
      for (int n = 0; n < 16; ++n) {
        const uint32_t want =
            expected(s, a, b, c[static_cast<size_t>(r)][static_cast<size_t>(n)], r, n, g);
        const uint32_t x = result(got, s, reg, r, n, high);
        compared(s.mnemonic);
        if (is_nan(s.out, want) ? is_nan(s.out, x) : x == want) continue;
        ADD_FAILURE() << s.mnemonic << " row " << r << " column " << n << std::hex << ": " << x
                      << ", not " << want;
        return;
      }
    }
  }
};

TEST_P(WMMA, EqualsTheScalarProduct) {
  for (int round = 0; round < 40; ++round) {
    const int style = round % 2;
    const Matrix a = random_matrix(s.in, style), b = random_matrix(s.in, style);
    const Matrix c = random_matrix(s.out, style);
    Bench w;
    place_input(w, s, kA, a, false);
    place_input(w, s, kB, b, true);
    place_sum(w, s, kC, c, false);
    // D beside C, then D in place of C.
    const int d = round % 4 < 2 ? kD : kC;
    w.run(s.mnemonic, op(d, sum_at(kC)));
    EXPECT_TRUE(reports().misused.empty());
    expect_product(w, d, a, b, c);
  }
}

TEST_P(WMMA, NegatesEvenAndOddElementsAndTheSum) {
  const Matrix a = random_matrix(s.in, 1), b = random_matrix(s.in, 1), c = random_matrix(s.out, 1);
  for (int bits = 0; bits < 64; ++bits) {
    const Signs g{.a_even = (bits & 1) != 0,
                  .a_odd = (bits & 2) != 0,
                  .b_even = (bits & 4) != 0,
                  .b_odd = (bits & 8) != 0,
                  .c_neg = (bits & 16) != 0,
                  .c_abs = (bits & 32) != 0};
    Bench w;
    place_input(w, s, kA, a, false);
    place_input(w, s, kB, b, true);
    place_sum(w, s, kC, c, false);
    const auto mods = [&](int shift) { return static_cast<uint8_t>(bits >> shift & 3); };
    w.run(s.mnemonic, op(kC, sum_at(kC, mods(4)), mods(0), mods(2)));
    expect_product(w, kC, a, b, c, false, g);
  }
}

TEST_P(WMMA, ConstantSum) {
  const Matrix a = random_matrix(s.in, 1), b = random_matrix(s.in, 1);
  Matrix c;
  const uint32_t one = rounded(s.out, 1.f);
  for (auto& row : c) row.fill(one);
  Bench w;
  place_input(w, s, kA, a, false);
  place_input(w, s, kB, b, true);
  w.run(s.mnemonic, op(kD, w.constant(one)));
  expect_product(w, kD, a, b, c);
}

TEST_P(WMMA, HighHalvesHoldASecondSumOnGfx11) {
  if (!s.gfx11 || s.out == Type::f32) GTEST_SKIP() << "one sum per register here";
  const Matrix a = random_matrix(s.in, 1), b = random_matrix(s.in, 1);
  const Matrix low = random_matrix(s.out, 1), high = random_matrix(s.out, 1);
  Bench w;
  place_input(w, s, kA, a, false);
  place_input(w, s, kB, b, true);
  place_sum(w, s, kC, low, false);
  place_sum(w, s, kC, high, true);
  w.run(s.mnemonic, op(kC, sum_at(kC, kOpSel0)));
  expect_product(w, kC, a, b, high, true);
  for (int r = 0; r < 16; ++r) {
    for (int n = 0; n < 16; ++n) {
      EXPECT_EQ(result(w, s, kC, r, n, false), low[static_cast<size_t>(r)][static_cast<size_t>(n)]);
    }
  }
}

TEST_P(WMMA, UndefinedRowOfAColumnOfBElementOfC) {
  for (int what = 0; what < 3; ++what) {
    for (int round = 0; round < 20; ++round) {
      Bench w;
      const int lane = static_cast<int>(rng() % 32);
      const int row = static_cast<int>(rng() % 16), column = static_cast<int>(rng() % 16);
      if (what < 2) {
        const int reg = (what ? kB : kA) + static_cast<int>(rng() % 4);
        (round % 2 ? w.lo : w.hi)[reg] &= ~(1u << lane);
      } else {
        const Spot p = spot(s, row, false);
        (p.shift ? w.hi : w.lo)[kC + p.reg] &= ~(1u << lane_of(s, row, column));
      }
      w.run(s.mnemonic, op(kD, sum_at(kC)));
      for (int r = 0; r < 16; ++r) {
        for (int n = 0; n < 16; ++n) {
          const bool hit = what == 0   ? r == lane % 16
                           : what == 1 ? n == lane % 16
                                       : r == row && n == column;
          ASSERT_EQ(result_defined(w, s, kD, r, n, false), !hit)
              << s.mnemonic << " what " << what << " lane " << lane << ": " << r << ", " << n;
        }
      }
    }
  }
}

TEST_P(WMMA, ADestinationThatWasUndefinedIsDefinedAfterwards) {
  Bench w;
  for (int i = 0; i < words_out(s); ++i) w.lo[kD + i] = w.hi[kD + i] = 0;
  w.run(s.mnemonic, op(kD, sum_at(kC)));
  for (int i = 0; i < words_out(s); ++i) {
    EXPECT_EQ(w.lo[kD + i], ~0u);
    // The other half of a gfx11 register with 16-bit elements stays as it was.
    EXPECT_EQ(w.hi[kD + i], s.gfx11 && s.out != Type::f32 ? 0u : ~0u);
  }
}

TEST_P(WMMA, UnequalCopiesAreAMisuseOnGfx11) {
  for (int base : {kA, kB}) {
    Bench w;
    w.v[base + 3].v[21] ^= 1;
    w.run(s.mnemonic, op(kD, sum_at(kC)));
    if (!s.gfx11) {
      EXPECT_TRUE(reports().misused.empty());
      continue;
    }
    ASSERT_EQ(reports().misused.size(), 1u);
    EXPECT_EQ(reports().misused[0], std::pair(FindingKind::wmma_replication, 1u << 21));
    // What is undefined is no unequal copy.
    w.lo[base + 3] &= ~(1u << 21);
    w.run(s.mnemonic, op(kD, sum_at(kC)));
    EXPECT_TRUE(reports().misused.empty());
  }
}

TEST_P(WMMA, InactiveLanesAreAMisuse) {
  Bench w;
  w.w.s[kExec] = ~4u;
  w.run(s.mnemonic, op(kD, sum_at(kC)));
  ASSERT_EQ(reports().misused.size(), 1u);
  EXPECT_EQ(reports().misused[0], std::pair(FindingKind::inactive_lane, 4u));
}

TEST_P(WMMA, ClampIsUnsupported) {
  Bench w;
  Op o = op(kD, sum_at(kC));
  o.clamp = true;
  w.run(s.mnemonic, o);
  EXPECT_EQ(reports().unsupported.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(
    All, WMMA,
    testing::Values(Shape{"v_wmma_f32_16x16x16_f16", Type::f16, Type::f32, true},
                    Shape{"v_wmma_f32_16x16x16_bf16", Type::bf16, Type::f32, true},
                    Shape{"v_wmma_f16_16x16x16_f16", Type::f16, Type::f16, true},
                    Shape{"v_wmma_bf16_16x16x16_bf16", Type::bf16, Type::bf16, true},
                    Shape{"v_wmma_f32_16x16x16_f16", Type::f16, Type::f32, false},
                    Shape{"v_wmma_f32_16x16x16_bf16", Type::bf16, Type::f32, false},
                    Shape{"v_wmma_f16_16x16x16_f16", Type::f16, Type::f16, false},
                    Shape{"v_wmma_bf16_16x16x16_bf16", Type::bf16, Type::bf16, false}),
    [](const testing::TestParamInfo<Shape>& info) {
      return std::string(info.param.mnemonic) + (info.param.gfx11 ? "_gfx11" : "_gfx12");
    });

}  // namespace
}  // namespace w4::rdna::test
