// device.h on the CPU: what a compiler's own lowering would get wrong, and arguments as they lie in
// the kernarg segment.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "devices/host_arithmetic.h"
#include "kernels/host_entry.h"
#include "rdna/isa/dot2.h"

namespace w4 {
namespace {

using device::Half;

uint16_t bits(Half h) { return std::bit_cast<uint16_t>(h); }

// Against the exact sum rounded to odd, then once to fp16.
TEST(HostTarget, Fp16FmaRoundsOnce) {
  std::mt19937 random(1);
  int differ = 0;
  for (int i = 0; i < 2'000'000; ++i) {
    const uint32_t r = random(), s = random();
    const auto a = std::bit_cast<Half>(static_cast<uint16_t>(r));
    const auto b = std::bit_cast<Half>(static_cast<uint16_t>(r >> 16));
    const auto c = std::bit_cast<Half>(static_cast<uint16_t>(s));
    const double exact = rdna::sum3_to_odd(static_cast<double>(a) * static_cast<double>(b), 0.0,
                                           static_cast<double>(c));
    const Half got = device::fma(a, b, c);
    if (std::isnan(exact)) {
      ASSERT_TRUE(got != got);
      continue;
    }
    ASSERT_EQ(bits(got), rdna::odd_to_f16(exact)) << std::hex << r << " " << s;
    differ += bits(static_cast<Half>(std::fma(static_cast<float>(a), static_cast<float>(b),
                                              static_cast<float>(c)))) != bits(got);
  }
  // The sample holds cases that a detour through float gets wrong.
  EXPECT_GT(differ, 0);
}

TEST(HostTarget, DotProductsRoundOnceAndFlush) {
  const auto f16 = host_arithmetic(rdna::FpModel::ieee).dot2_f16;
  const auto bf16 = host_arithmetic(rdna::FpModel::ieee).dot2_bf16;
  // 1 * 2^-24 added to 1 twice: each alone is lost, together they count.
  EXPECT_EQ(f16(0x00013c00, 0x3c003c00, 0x1p-24f), 1.0f + 0x1p-23f);
  EXPECT_EQ(bf16(0x33803f80, 0x3f803f80, 0x1p-24f), 1.0f + 0x1p-23f);
  // Element 0 is the low half.
  EXPECT_EQ(f16(0x40003c00, 0x3c004400, 0.0f), 1.0f * 4.0f + 2.0f * 1.0f);
  // Denormals: of the accumulator and of bf16, not of fp16.
  EXPECT_EQ(f16(0, 0, 0x1p-140f), 0.0f);
  EXPECT_EQ(bf16(0x00002000, 0x00002000, 0x1p-127f), 0x1p-126f);
  EXPECT_EQ(bf16(0x00010000, 0x7f000000, 0.0f), 0.0f);
  EXPECT_EQ(f16(0x00000001, 0x00003c00, 0.0f), 0x1p-24f);
}

void kernel(const void* p, uint16_t h, uint64_t wide, uint8_t byte, uint32_t word) {
  auto* const out = static_cast<uint64_t*>(const_cast<void*>(p));
  out[0] = h;
  out[1] = wide;
  out[2] = byte;
  out[3] = word;
  out[4] = device::lane();
}

TEST(HostTarget, ArgumentsAreReadAtTheirNaturalAlignment) {
  uint64_t out[5] = {};
  struct {
    const void* p;
    uint16_t h;
    uint64_t wide;
    uint8_t byte;
    uint32_t word;
  } args{out, 11, 22, 33, 44};
  constexpr HostKernel row = device::HostEntry<kernel>::row("kernel");
  EXPECT_EQ(row.arg_bytes, sizeof(args));
  HostLane lane{.ops = nullptr, .id = {55, 0, 0}, .group = {}};
  row.run(lane, &args);
  for (uint64_t i = 0; i < 5; ++i) EXPECT_EQ(out[i], 11 * (i + 1));
}

}  // namespace
}  // namespace w4
