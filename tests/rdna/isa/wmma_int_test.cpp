// Integer matrix instructions against a scalar product of the numbers that were packed into lanes.
#include <array>
#include <limits>

#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

struct Shape {
  const char* mnemonic;
  int bits, depth;
  bool gfx11;
};

constexpr int kA = 0, kB = 8, kC = 16, kD = 24;

constexpr Shape kShapes[] = {
    {"v_wmma_i32_16x16x16_iu8", 8, 16, true},  {"v_wmma_i32_16x16x16_iu4", 4, 16, true},
    {"v_wmma_i32_16x16x16_iu8", 8, 16, false}, {"v_wmma_i32_16x16x16_iu4", 4, 16, false},
    {"v_wmma_i32_16x16x32_iu4", 4, 32, false},
};

struct Matrices {
  const Shape s;
  explicit Matrices(const Shape& shape) : s(shape) { fill(); }
  void every_element();
  void definedness();
  void lanes();
  int words() const { return s.depth * s.bits / 32 / (s.gfx11 ? 1 : 2); }
  // Line `line` of A (or column of B), element k: raw bits.
  std::array<std::array<uint32_t, 32>, 16> a{}, b{};
  std::array<std::array<uint32_t, 16>, 16> c{};
  std::mt19937 rng{5};

  void fill() {
    const uint32_t mask = (1u << s.bits) - 1;
    for (auto* m : {&a, &b}) {
      for (auto& line : *m) {
        for (uint32_t& x : line) x = rng() % 4 ? rng() & mask : mask >> (rng() & 1);
      }
    }
    for (auto& row : c) {
      for (uint32_t& x : row) x = rng() % 3 ? rng() : 0x7fffffffu + (rng() & 1);
    }
  }
  void place(Bench& bench, int reg, const std::array<std::array<uint32_t, 32>, 16>& m) const {
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < words() * 32 / s.bits; ++i) {
        const int k = s.gfx11 ? i : i + lane / 16 * s.depth / 2;
        const int bit = i * s.bits;
        bench.v[reg + bit / 32].v[lane] |= m[static_cast<size_t>(lane % 16)][static_cast<size_t>(k)]
                                           << (bit % 32);
      }
    }
  }
  uint32_t& spot(Bench& bench, int reg, int r, int column) const {
    return s.gfx11 ? bench.v[reg + r / 2].v[column + 16 * (r % 2)]
                   : bench.v[reg + r % 8].v[column + 16 * (r / 8)];
  }
  int64_t number(uint32_t x, bool is_signed) const {
    return is_signed && x >> (s.bits - 1) ? int64_t{x} - (1 << s.bits) : x;
  }
  Op op(bool a_signed, bool b_signed, bool clamp) const {
    Op o;
    o.dst[o.ndst++] = Bench::vgpr(kD, 0, 8);
    o.src[o.nsrc++] = Bench::vgpr(kA, a_signed ? kNeg : 0, words());
    o.src[o.nsrc++] = Bench::vgpr(kB, b_signed ? kNeg : 0, words());
    o.src[o.nsrc++] = Bench::vgpr(kC, 0, 8);
    o.clamp = clamp;
    return o;
  }
  Bench bench() {
    Bench x;
    place(x, kA, a);
    place(x, kB, b);
    for (int r = 0; r < 16; ++r) {
      for (int col = 0; col < 16; ++col)
        spot(x, kC, r, col) = c[static_cast<size_t>(r)][static_cast<size_t>(col)];
    }
    return x;
  }
};

void Matrices::every_element() {
  for (int form = 0; form < 8; ++form) {
    const bool sa = form & 1, sb = form & 2, clamp = form & 4;
    Bench x = bench();
    x.run(s.mnemonic, op(sa, sb, clamp));
    ASSERT_TRUE(reports().unsupported.empty()) << reports().unsupported[0];
    int saturated = 0;
    for (size_t r = 0; r < 16; ++r) {
      for (size_t col = 0; col < 16; ++col) {
        int64_t sum = static_cast<int32_t>(c[r][col]);
        for (size_t k = 0; k < static_cast<size_t>(s.depth); ++k)
          sum += number(a[r][k], sa) * number(b[col][k], sb);
        constexpr int64_t kTop = std::numeric_limits<int32_t>::max(), kLow = -kTop - 1;
        saturated += sum > kTop || sum < kLow;
        if (clamp) sum = sum > kTop ? kTop : sum < kLow ? kLow : sum;
        EXPECT_TRUE(result_is(s.mnemonic, spot(x, kD, static_cast<int>(r), static_cast<int>(col)),
                              static_cast<uint32_t>(sum)))
            << "row " << r << " column " << col << " form " << form;
      }
    }
    EXPECT_GT(saturated, 0) << "no sum that clamp changes";
  }
}

void Matrices::definedness() {
  Bench x = bench();
  x.lo[kA] = ~(1u << 3 | 1u << 19);  // row 3
  x.hi[kB] = ~(1u << 5 | 1u << 21);  // column 5
  x.lo[kC] = ~1u;                    // the element in register 0, lane 0: (0, 0) on both
  x.run(s.mnemonic, op(true, true, false));
  for (int r = 0; r < 16; ++r) {
    for (int col = 0; col < 16; ++col) {
      const int reg = kD + (s.gfx11 ? r / 2 : r % 8);
      const int lane = col + 16 * (s.gfx11 ? r % 2 : r / 8);
      const bool known = (x.lo[reg] & x.hi[reg]) >> lane & 1;
      EXPECT_EQ(known, r != 3 && col != 5 && (r != 0 || col != 0)) << r << "," << col;
    }
  }
}

void Matrices::lanes() {
  Bench x = bench();
  x.w.s[kExec] = ~(1u << 4);
  x.run(s.mnemonic, op(true, true, false));
  ASSERT_EQ(reports().misused.size(), 1u);
  EXPECT_EQ(reports().misused[0], std::pair(FindingKind::inactive_lane, 1u << 4));
  Bench y = bench();
  y.v[kB].v[21] ^= 1;
  y.run(s.mnemonic, op(true, true, false));
  ASSERT_EQ(reports().misused.size(), s.gfx11 ? 1u : 0u);
  if (s.gfx11) {
    EXPECT_EQ(reports().misused[0], std::pair(FindingKind::wmma_replication, 1u << 21));
  }
}

TEST(WMMA, IntegersForEverySignAndClamp) {
  for (const Shape& s : kShapes) {
    SCOPED_TRACE(std::string(s.mnemonic) + (s.gfx11 ? " gfx11" : " gfx12"));
    Matrices(s).every_element();
  }
}

TEST(WMMA, IntegersDefinedWhereRowColumnAndAddendAre) {
  for (const Shape& s : kShapes) {
    SCOPED_TRACE(std::string(s.mnemonic) + (s.gfx11 ? " gfx11" : " gfx12"));
    Matrices(s).definedness();
  }
}

TEST(WMMA, IntegersInLanesThatTheIsaDoesNotAllow) {
  for (const Shape& s : kShapes) {
    SCOPED_TRACE(std::string(s.mnemonic) + (s.gfx11 ? " gfx11" : " gfx12"));
    Matrices(s).lanes();
  }
}

}  // namespace
}  // namespace w4::rdna::test
