// The rarer atomics against scalar code: the value each lane gets back and what memory holds
// afterwards.
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "core/dtypes.h"
#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

class AtomicOps : public testing::TestWithParam<std::string> {
 protected:
  bool gfx12() const { return GetParam().find("gfx12") != std::string::npos; }
};

// Atomics: (old, data, second) -> new.
struct AtomicCase {
  const char* kernel;
  bool wide;
  std::function<u64(u64, u64, u64)> f;
  int only = 0;  // 11 or 12: of that architecture
};
double f64(u64 x) { return std::bit_cast<double>(x); }
float f32(u64 x) { return std::bit_cast<float>(static_cast<u32>(x)); }
int64_t s64(u64 x) { return static_cast<int64_t>(x); }
u64 pick(double a, double b, bool greater, u64 x, u64 y) {
  if (std::isnan(a)) return y;
  if (std::isnan(b)) return x;
  if (a == b) return (std::signbit(a) != greater) ? x : y;
  return (a > b) == greater ? x : y;
}
u64 packed(DType t, u64 old, u64 data) {
  u64 r = 0;
  for (int s = 0; s < 32; s += 16) {
    const double sum =
        to_f64(t, static_cast<uint16_t>(old >> s)) + to_f64(t, static_cast<uint16_t>(data >> s));
    r |= u64{from_f64(t, sum)} << s;
  }
  return r;
}
const AtomicCase kAtomics[] = {
    {"ds_rsub_u32", false, [](u64 m, u64 d, u64) { return d - m; }},
    {"ds_rsub_u64", true, [](u64 m, u64 d, u64) { return d - m; }},
    {"ds_sub_u64", true, [](u64 m, u64 d, u64) { return m - d; }},
    {"ds_inc_u64", true, [](u64 m, u64 d, u64) { return m >= d ? 0 : m + 1; }},
    {"ds_dec_u64", true, [](u64 m, u64 d, u64) { return m == 0 || m > d ? d : m - 1; }},
    {"ds_min_i64", true, [](u64 m, u64 d, u64) { return s64(m) < s64(d) ? m : d; }},
    {"ds_max_i64", true, [](u64 m, u64 d, u64) { return s64(m) > s64(d) ? m : d; }},
    {"ds_min_u64", true, [](u64 m, u64 d, u64) { return m < d ? m : d; }},
    {"ds_max_u64", true, [](u64 m, u64 d, u64) { return m > d ? m : d; }},
    {"ds_and_b64", true, [](u64 m, u64 d, u64) { return m & d; }},
    {"ds_or_b64", true, [](u64 m, u64 d, u64) { return m | d; }},
    {"ds_xor_b64", true, [](u64 m, u64 d, u64) { return m ^ d; }},
    {"ds_swap_b64", true, [](u64, u64 d, u64) { return d; }},
    {"ds_mskor_b32", false, [](u64 m, u64 d, u64 s) { return (m & ~d) | s; }},
    {"ds_mskor_b64", true, [](u64 m, u64 d, u64 s) { return (m & ~d) | s; }},
    {"ds_wrap_b32", false, [](u64 m, u64 d, u64 s) { return m >= d ? m - d : m + s; }, 11},
    {"ds_min_f64", true, [](u64 m, u64 d, u64) { return pick(f64(m), f64(d), false, m, d); }},
    {"ds_max_f64", true, [](u64 m, u64 d, u64) { return pick(f64(m), f64(d), true, m, d); }},
    {"ds_pk_add_f16", false, [](u64 m, u64 d, u64) { return packed(DType::f16, m, d); }, 12},
    {"ds_pk_add_bf16", false, [](u64 m, u64 d, u64) { return packed(DType::bf16, m, d); }, 12},
    {"ds_sub_clamp_u32", false, [](u64 m, u64 d, u64) { return m < d ? 0 : m - d; }, 12},
    {"ds_cond_sub_u32", false, [](u64 m, u64 d, u64) { return m < d ? m : m - d; }, 12},
    {"ds_cmpstore_f32", false, [](u64 m, u64 d, u64 s) { return f32(m) == f32(s) ? d : m; }, 11},
    {"ds_cmpstore_f64", true, [](u64 m, u64 d, u64 s) { return f64(m) == f64(s) ? d : m; }, 11},
    {"global_sub_u64", true, [](u64 m, u64 d, u64) { return m - d; }},
    {"global_inc_u64", true, [](u64 m, u64 d, u64) { return m >= d ? 0 : m + 1; }},
    {"global_dec_u64", true, [](u64 m, u64 d, u64) { return m == 0 || m > d ? d : m - 1; }},
    {"global_sub_clamp_u32", false, [](u64 m, u64 d, u64) { return m < d ? 0 : m - d; }},
    {"global_cond_sub_u32", false, [](u64 m, u64 d, u64) { return m < d ? m : m - d; }, 12},
    {"global_cmpstore_f32", false, [](u64 m, u64 d, u64 s) { return f32(m) == f32(s) ? d : m; },
     11},
};

// Numbers of both widths, signs and orders; finite 16-bit floats in the packed halves.
std::vector<u64> values(bool wide, unsigned seed) {
  std::mt19937_64 rng(seed);
  std::vector<u64> v = {0,
                        0,
                        1,
                        5,
                        ~u64{0},
                        u64{1} << 63,
                        std::bit_cast<u64>(0.0),
                        std::bit_cast<u64>(-0.0),
                        std::bit_cast<u64>(1.5),
                        std::bit_cast<u64>(-3e300),
                        0x7fffffff,
                        0x80000000,
                        0x3f800000,
                        3};
  std::shuffle(v.begin(), v.end(), rng);
  while (v.size() < 32) v.push_back(rng() & 0xbbffbbffbbffbbffu);
  if (!wide) {
    for (u64& x : v) x &= 0xbbffbbffu;
  }
  return v;
}

template <class U>
std::vector<U> narrowed(const std::vector<u64>& v) {
  return {v.begin(), v.end()};
}

template <class U>
void check_atomic(const std::string& path, const AtomicCase& c) {
  Rig rig(path);
  ASSERT_TRUE(rig.ok());
  auto m = narrowed<U>(values(c.wide, 1)), s = narrowed<U>(values(c.wide, 3));
  const auto d = narrowed<U>(values(c.wide, 2));
  for (size_t l = 0; l < 32; l += 2) s[l] = m[l];  // comparisons that hold
  m[1] = 0, s[1] = U{1} << (8 * sizeof(U) - 1);    // +0 and -0: equal as floats
  const Address memory =
      rig.allocate({.name = "memory", .bytes = 32 * sizeof(U), .writable = true});
  ASSERT_TRUE(rig.emulator().memory().write(memory, std::as_bytes(std::span(m))));
  const Address old = rig.output("old", 32 * sizeof(U));
  const LaunchReport report = rig.launch(c.kernel, config(1, 32), memory, rig.input("data", d),
                                         rig.input("second", s), old);
  ASSERT_EQ(report.end, LaunchReport::End::completed) << c.kernel << what(report);
  EXPECT_TRUE(report.findings.empty()) << c.kernel << what(report);
  EXPECT_EQ(rig.read<U>(old, 32), m) << c.kernel;
  const std::vector<U> now = rig.read<U>(memory, 32);
  for (size_t l = 0; l < 32; ++l) {
    EXPECT_EQ(now[l], static_cast<U>(c.f(m[l], d[l], s[l])))
        << c.kernel << " lane " << l << " of " << m[l] << ", " << d[l] << ", " << s[l];
  }
}

TEST_P(AtomicOps, AtomicsGiveTheOldValueAndKeepTheNewOne) {
  for (const AtomicCase& c : kAtomics) {
    if (c.only && (c.only == 12) != gfx12()) continue;  // no such instruction there
    c.wide ? check_atomic<u64>(GetParam(), c) : check_atomic<u32>(GetParam(), c);
  }
}

TEST_P(AtomicOps, TwoPlacesAreExchangedByOneInstruction) {
  Rig rig(GetParam());
  ASSERT_TRUE(rig.ok());
  std::vector<u32> m(128), d(32), s(32);
  for (u32 i = 0; i < 128; ++i) m[i] = 1000 + i;
  for (u32 i = 0; i < 32; ++i) d[i] = 2000 + i, s[i] = 3000 + i;
  const Address memory = rig.allocate({.name = "memory", .bytes = 512, .writable = true});
  ASSERT_TRUE(rig.emulator().memory().write(memory, std::as_bytes(std::span(m))));
  const Address old = rig.output("old", 256);
  const LaunchReport report = rig.launch("ds_exchange2", config(1, 32), memory,
                                         rig.input("data", d), rig.input("second", s), old);
  ASSERT_EQ(report.end, LaunchReport::End::completed) << what(report);
  EXPECT_TRUE(report.findings.empty()) << what(report);
  const std::vector<u32> got = rig.read<u32>(old, 64), now = rig.read<u32>(memory, 128);
  for (u32 l = 0; l < 32; ++l) {
    EXPECT_EQ(got[2 * l], 1064 + l);
    EXPECT_EQ(got[2 * l + 1], 1032 + l);
    EXPECT_EQ(now[l], 1000 + l);
    EXPECT_EQ(now[l + 32], 3000 + l);
    EXPECT_EQ(now[l + 64], 2000 + l);
    EXPECT_EQ(now[l + 96], 1096 + l);
  }
}

TEST_P(AtomicOps, AppendAndConsumeCountActiveLanes) {
  Rig rig(GetParam());
  ASSERT_TRUE(rig.ok());
  std::vector<u32> consumes(32, 0);
  for (u32 l = 3; l < 10; ++l) consumes[l] = 1;
  const std::vector<u32> m = {77, 100};
  const Address memory = rig.allocate({.name = "memory", .bytes = 8, .writable = true});
  ASSERT_TRUE(rig.emulator().memory().write(memory, std::as_bytes(std::span(m))));
  const Address old = rig.output("old", 256);
  const LaunchReport report = rig.launch("ds_counter", config(1, 32), memory, rig.input("data", m),
                                         rig.input("second", consumes), old);
  ASSERT_EQ(report.end, LaunchReport::End::completed) << what(report);
  EXPECT_TRUE(report.findings.empty()) << what(report);
  const std::vector<u32> got = rig.read<u32>(old, 64);
  for (u32 l = 0; l < 32; ++l) {
    EXPECT_EQ(got[l], l % 2 ? 100u : 0u);
    EXPECT_EQ(got[32 + l], consumes[l] ? 116u : 0u);
  }
  EXPECT_EQ(rig.read<u32>(memory, 2), (std::vector<u32>{77, 109}));
}

INSTANTIATE_TEST_SUITE_P(Objects, AtomicOps, testing::ValuesIn(paths(W4_MEMORY_OPS)), test_name);

}  // namespace
}  // namespace w4::rdna
