// Matrix kernels as a compiler makes them: the host's answer to the bit.
#include <cmath>
#include <random>

#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

using testing::HasSubstr;

float from_half(uint16_t h) { return static_cast<float>(std::bit_cast<_Float16>(h)); }
float from_brain(uint16_t h) { return std::bit_cast<float>(uint32_t{h} << 16); }
uint16_t to_half(float x) { return std::bit_cast<uint16_t>(static_cast<_Float16>(x)); }
uint16_t to_brain(float x) {
  const uint32_t b = std::bit_cast<uint32_t>(x), rest = b & 0xffffu;
  return static_cast<uint16_t>((b >> 16) + (rest > 0x8000u || (rest == 0x8000u && (b >> 16 & 1))));
}

class WmmaPrograms : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int kM = 35, kN = 40, kK = 64, kGroup = 32;
  Rig rig_{GetParam()};
  std::mt19937_64 rng_{5};
  std::vector<uint32_t> w_;
  std::vector<uint16_t> x_, scale_;
  Address out_ = 0;

  static uint16_t round(bool brain, float x) { return brain ? to_brain(x) : to_half(x); }
  static float wide(bool brain, uint16_t x) { return brain ? from_brain(x) : from_half(x); }
  float random_value() {
    return static_cast<float>(static_cast<int>(rng_() % 2001) - 1000) / 512.f;
  }

  LaunchReport run(const std::string& symbol, bool brain, bool confirm, Schedule schedule = {},
                   int m = kM) {
    w_.resize(kN * kK / 8);
    x_.resize(static_cast<size_t>(m * kK));
    scale_.resize(kN * kK / kGroup);
    rng_.seed(5);
    for (uint32_t& v : w_) v = static_cast<uint32_t>(rng_());
    for (uint16_t& v : x_) v = round(brain, random_value());
    for (uint16_t& v : scale_) v = to_half(random_value() / 16);
    rig_.emulator().memory().release_all();
    const Address w = rig_.input("w", w_), x = rig_.input("x", x_), s = rig_.input("scale", scale_);
    out_ = rig_.output("y", static_cast<uint64_t>(m) * kN * 4);
    LaunchConfig c = config((kN + 31) / 32, 64);
    c.grid.y = static_cast<uint32_t>(m + 31) / 32;
    c.confirm = confirm;
    c.schedule = schedule;
    return rig_.launch(symbol, c, w, x, s, out_, m, kN, kK, kGroup);
  }
  // Products in the type's precision are exact in fp32; one fused step per k, ascending.
  std::vector<float> product(bool brain, int m = kM) {
    std::vector<float> y;
    for (int r = 0; r < m; ++r) {
      for (int n = 0; n < kN; ++n) {
        float sum = 0;
        for (int k = 0; k < kK; ++k) {
          const int at = n * kK + k;
          const int q = static_cast<int>(w_[static_cast<size_t>(at / 8)] >> (4 * (at % 8)) & 15);
          const float s = from_half(scale_[static_cast<size_t>(at / kGroup)]);
          const float weight = wide(brain, round(brain, s * static_cast<float>(q - 8)));
          sum = std::fma(wide(brain, x_[static_cast<size_t>(r * kK + k)]), weight, sum);
        }
        y.push_back(sum);
      }
    }
    return y;
  }
};

TEST_P(WmmaPrograms, GiveTheHostsAnswer) {
  for (bool brain : {false, true}) {
    for (const Schedule& order :
         {Schedule{}, Schedule{Order::reversed, 0}, Schedule{Order::random, 3}}) {
      for (bool confirm : {false, true}) {
        for (int m : {1, 32, kM}) {
          const LaunchReport r = run(brain ? "bf16_clean" : "f16_clean", brain, confirm, order, m);
          ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
          EXPECT_EQ(rig_.read<float>(out_, static_cast<size_t>(m * kN)), product(brain, m));
          EXPECT_TRUE(rig_.emulator().memory().unwritten(out_, 1).empty());
          EXPECT_THAT(r.inexact, testing::Contains(HasSubstr("v_wmma_f32_16x16x16_")));
        }
      }
    }
  }
}

TEST_P(WmmaPrograms, SixteenBitSums) {
  for (bool brain : {false, true}) {
    std::vector<uint16_t> m[4];
    for (auto& v : m) {
      for (int i = 0; i < 256; ++i) v.push_back(round(brain, random_value()));
    }
    rig_.emulator().memory().release_all();
    const Address a = rig_.input("a", m[0]), b = rig_.input("b", m[1]);
    const Address c0 = rig_.input("c0", m[2]), c1 = rig_.input("c1", m[3]);
    for (bool confirm : {false, true}) {
      const Address d[2] = {rig_.output("d0", 512), rig_.output("d1", 512)};
      LaunchConfig c = config(1, 32);
      c.confirm = confirm;
      const LaunchReport r =
          rig_.launch(brain ? "bf16_narrow" : "f16_narrow", c, a, b, c0, c1, d[0], d[1]);
      ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
      for (size_t which = 0; which < 2; ++which) {
        std::vector<uint16_t> want;
        for (size_t row = 0; row < 16; ++row) {
          for (size_t column = 0; column < 16; ++column) {
            float sum = wide(brain, m[2 + which][row * 16 + column]);
            for (size_t k = 0; k < 16; ++k) {
              sum = std::fma(wide(brain, m[0][row * 16 + k]), wide(brain, m[1][k * 16 + column]),
                             sum);
            }
            want.push_back(round(brain, sum));
          }
        }
        EXPECT_EQ(rig_.read<uint16_t>(d[which], 256), want);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Matrix, WmmaPrograms, testing::ValuesIn(paths(W4_WMMA)), test_name);

}  // namespace
}  // namespace w4::rdna
