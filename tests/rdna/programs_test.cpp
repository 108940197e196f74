// Compiler-made programs give the host's answer at every level on every arch, without a finding,
// under every schedule.
#include <cmath>
#include <random>

#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

constexpr uint32_t kGrid = 3, kBlock = 128, kN = kGrid * kBlock;

class Programs : public testing::TestWithParam<std::string> {
 protected:
  Programs() : rig_(GetParam()) {}

  template <class T>
  std::vector<T> randoms(size_t n, uint64_t mask = ~uint64_t{0}) {
    std::vector<T> v(n);
    for (T& x : v) x = static_cast<T>(random_() & mask);
    return v;
  }

  // Launches under each order, fast and confirming; the answers must always be `want`.
  template <class T, class... A>
  void expect(std::string_view symbol, const std::vector<T>& want, uint32_t grid, uint32_t block,
              Address out, A... args) {
    for (Order order : {Order::rr, Order::reversed, Order::random}) {
      for (bool confirm : {false, true}) {
        LaunchConfig c = config(grid, block);
        c.schedule = {order, 7};
        c.confirm = confirm;
        const LaunchReport r = rig_.launch(symbol, c, args...);
        ASSERT_EQ(r.end, LaunchReport::End::completed) << symbol << ": " << what(r);
        ASSERT_EQ(rig_.read<T>(out, want.size()), want) << symbol;
      }
    }
  }

  Rig rig_;
  std::mt19937_64 random_{1};
};

TEST_P(Programs, VectorAddWithTail) {
  std::vector<float> a, b, want;
  const uint32_t n = kN - 5;
  for (uint32_t i = 0; i < n; ++i) {
    a.push_back(static_cast<float>(i) * 0.37f);
    b.push_back(1.0f / static_cast<float>(i + 1));
    want.push_back(a[i] + b[i]);
  }
  const Address out = rig_.output("c", n * 4);
  expect("vector_add", want, kGrid, kBlock, out, rig_.input("a", a), rig_.input("b", b), out,
         static_cast<int>(n));
}

TEST_P(Programs, LdsReverse) {
  const auto in = randoms<uint32_t>(512);
  std::vector<uint32_t> want(512);
  for (size_t i = 0; i < 512; ++i) want[i] = in[i / 256 * 256 + 255 - i % 256];
  const Address out = rig_.output("out", 2048);
  expect("lds_reverse", want, 2, 256, out, rig_.input("in", in), out);
}

TEST_P(Programs, LoopSum) {
  const int n = 37;
  const auto in = randoms<uint32_t>(n);
  std::vector<uint32_t> want(kN, 0);
  for (uint32_t t = 0; t < kN; ++t) {
    for (uint32_t i = 0; i < static_cast<uint32_t>(n); ++i)
      want[t] = want[t] * 3 + in[(t + i) % static_cast<uint32_t>(n)];
  }
  const Address out = rig_.output("out", kN * 4);
  expect("loop_sum", want, kGrid, kBlock, out, rig_.input("in", in), out, n);
}

TEST_P(Programs, DivergentLoop) {
  const auto in = randoms<uint32_t>(kN, 0xffff);
  std::vector<uint32_t> want;
  for (uint32_t x : in) {
    uint32_t steps = 0;
    while (x > 1 && steps < 200) {
      x = x & 1 ? 3 * x + 1 : x >> 1;
      ++steps;
    }
    want.push_back(steps);
  }
  const Address out = rig_.output("out", kN * 4);
  expect("divergent", want, kGrid, kBlock, out, rig_.input("in", in), out);
}

TEST_P(Programs, NarrowAccesses) {
  const auto a = randoms<uint8_t>(kN);
  const auto b = randoms<uint16_t>(kN);
  const auto c = randoms<int8_t>(kN);
  const auto d = randoms<int16_t>(kN);
  std::vector<uint8_t> want8;
  std::vector<uint16_t> want16;
  for (size_t i = 0; i < kN; ++i) {
    want8.push_back(static_cast<uint8_t>(a[i] + c[i]));
    want16.push_back(static_cast<uint16_t>(b[i] - d[i] + (a[i] << 4)));
  }
  const Address out8 = rig_.output("out8", kN), out16 = rig_.output("out16", kN * 2);
  const Address pa = rig_.input("a", a), pb = rig_.input("b", b), pc = rig_.input("c", c),
                pd = rig_.input("d", d);
  expect("narrow", want8, kGrid, kBlock, out8, pa, pb, pc, pd, out8, out16);
  EXPECT_EQ(rig_.read<uint16_t>(out16, kN), want16);
}

TEST_P(Programs, PrivateArray) {
  const auto in = randoms<uint32_t>(kN + 8);
  std::vector<uint32_t> want;
  for (size_t t = 0; t < kN; ++t) {
    uint32_t table[16], s = 0;
    for (uint32_t i = 0; i < 16; ++i) table[i] = in[t] * (i + 1);
    for (uint32_t i = 0; i < 8; ++i) table[in[t + i] & 15] ^= i * 0x01010101u;
    for (uint32_t i = 0; i < 16; ++i) s = s * 5 + table[(i * in[t]) & 15];
    want.push_back(s);
  }
  const Address out = rig_.output("out", kN * 4);
  expect("scratch", want, kGrid, kBlock, out, rig_.input("in", in), out);
}

TEST_P(Programs, DeviceFunctions) {
  const auto in = randoms<uint32_t>(kN);
  const auto step = [](uint32_t x) { return ((x >> 3 ? x * 31 + (x >> 3) : x - 7) ^ 0x5a5a5a5au); };
  std::vector<uint32_t> want;
  for (uint32_t x : in) {
    for (uint32_t i = 0; i < 4; ++i) x = step(x + i);
    want.push_back(x);
  }
  const Address out = rig_.output("out", kN * 4);
  expect("calls", want, kGrid, kBlock, out, rig_.input("in", in), out);
}

TEST_P(Programs, ConstantsAndGlobals) {
  const auto in = randoms<uint32_t>(kN);
  constexpr uint32_t kTable[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  std::vector<uint32_t> want;
  for (uint32_t x : in) want.push_back(kTable[x & 7] + 40);
  const Address out = rig_.output("out", kN * 4);
  expect("constants", want, kGrid, kBlock, out, rig_.input("in", in), out);
}

TEST_P(Programs, Wide) {
  const auto a = randoms<uint64_t>(kN), b = randoms<uint64_t>(kN);
  std::vector<uint64_t> want;
  for (size_t i = 0; i < kN; ++i) {
    want.push_back(a[i] * b[i] + (a[i] >> (b[i] & 63)) - (b[i] << 7) + (a[i] < b[i] ? 1 : 2));
  }
  const Address out = rig_.output("out", kN * 8);
  expect("wide", want, kGrid, kBlock, out, rig_.input("a", a), rig_.input("b", b), out);
}

TEST_P(Programs, Doubles) {
  std::vector<double> a, b, want;
  for (size_t i = 0; i < kN; ++i) {
    a.push_back(std::sin(static_cast<double>(i)));
    b.push_back(std::exp(static_cast<double>(i % 40) - 20.0));
    want.push_back(std::fma(a[i], b[i], -a[i]) + std::fmin(a[i], b[i]));
  }
  const Address out = rig_.output("out", kN * 8);
  expect("doubles", want, kGrid, kBlock, out, rig_.input("a", a), rig_.input("b", b), out);
}

TEST_P(Programs, ShuffleThroughLds) {
  const auto in = randoms<uint32_t>(kN);
  std::vector<uint32_t> want(kN);
  for (size_t i = 0; i < kN; ++i) {
    for (size_t l = 0; l < 32; ++l) want[i] += in[i / 32 * 32 + l];
  }
  const Address out = rig_.output("out", kN * 4);
  expect("shuffle_xor", want, kGrid, kBlock, out, rig_.input("in", in), out);
}

TEST_P(Programs, DppSum) {
  const auto in = randoms<uint32_t>(kN);
  std::vector<uint32_t> want(kN);
  for (size_t i = 0; i < kN; ++i) {
    for (size_t l = 0; l < 16; ++l) want[i] += in[i / 16 * 16 + l];
  }
  const Address out = rig_.output("out", kN * 4);
  expect("dpp_sum", want, kGrid, kBlock, out, rig_.input("in", in), out);
}

TEST_P(Programs, HistogramByAtomics) {
  const auto in = randoms<uint32_t>(kN);
  std::vector<uint32_t> want(64);
  for (uint32_t x : in) ++want[x & 63];
  const Address pin = rig_.input("in", in);
  for (bool confirm : {false, true}) {
    const Address out =
        rig_.allocate({.name = "bins", .bytes = 256, .writable = true, .track_writers = true});
    LaunchConfig c = config(kGrid, kBlock);
    c.confirm = confirm;
    const LaunchReport r = rig_.launch("histogram", c, pin, out);
    ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
    EXPECT_EQ(rig_.read<uint32_t>(out, 64), want);
    EXPECT_TRUE(rig_.emulator().memory().unwritten(out, 4).empty());
  }
}

TEST_P(Programs, StepCountsAreTheSameInEveryRun) {
  const auto in = randoms<uint32_t>(kN, 0xffff);
  const Address out = rig_.output("out", kN * 4), pin = rig_.input("in", in);
  const LaunchReport first = rig_.launch("divergent", config(kGrid, kBlock), pin, out);
  const LaunchReport again = rig_.launch("divergent", config(kGrid, kBlock), pin, out);
  EXPECT_EQ(first.wave_instructions, again.wave_instructions);
  EXPECT_GT(first.wave_instructions, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Answers, Programs, testing::ValuesIn(paths(W4_ANSWERS)), test_name);

}  // namespace
}  // namespace w4::rdna
