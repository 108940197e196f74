// Special values (oracles.md 3): classes come from the interval's ends, and the machine code has
// them; what overflows by declaration, and just not; signed zeros and payloads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracles/machine.h"
#include "reference/compare.h"
#include "reference/experts.h"

namespace w4::test {
namespace {

struct Judged {
  CleanCase clean;
  Arrays x;
  std::vector<uint16_t> y;
  Reference right;
  Comparison compared;

  double value(size_t i) const { return to_f64(x.wei->act, y[i]); }
  bool right_is_nan(size_t i) const { return std::isnan(right.twin.declared[i]); }
  Comparison of(const std::vector<uint16_t>& other) const {
    return compare(x, clean.numerics, right.twin, right.bound, other);
  }
};

// The machine code on what `change` makes of the data of `line`.
template <class Change>
Judged judged(const std::string& line, const Change& change) {
  Context context;
  const auto c = parse_case(line);
  EXPECT_TRUE(c) << line;
  auto clean = clean_case(*c, context);
  EXPECT_TRUE(clean) << line << ": " << clean.error().text;
  Arrays x = clean->x;
  auto w = std::make_shared<Weights>(*x.wei);
  change(x, *w);
  x.wei = w;
  const auto ran = run_machine(*c, x, context);
  EXPECT_TRUE(ran) << line << ": " << ran.error().text;
  Reference right = make_reference(x, clean->numerics, clean->setup.arithmetic, false);
  Comparison compared = compare(x, clean->numerics, right.twin, right.bound, ran->out);
  return {std::move(*clean), std::move(x), ran->out, std::move(right), std::move(compared)};
}

// 143 * 16 * a is just above fp32's largest number at a = 1.5e35, or just below it. The fill's
// other chunks are small: one chunk is enough.
TEST(SpecialValues, TheOffsetTrickMayOverflowWhereItsDeclarationSaysSo) {
  for (const std::string kernel : {"decode m=2", "chunked m=2", "moe m=2 experts=1 blockm=2"}) {
    for (const char* fp : {"ieee", "gfx1151"}) {
      for (const double a : {1.44e35, 1.6e35}) {
        const Judged j =
            judged(fmt::format("{} n=16 k=512 g=64 zp=packed act=bf16 fp={}", kernel, fp),
                   [&](Arrays& x, Weights& w) {
                     for (size_t i = 0; i < 16; ++i) x.a[32 + i] = f64_to_bf16(a);
                     if (x.moe) x.moe->act = x.a;
                     // The sums themselves stay far below: Inf would be the kernel's own.
                     for (uint16_t& s : w.s) s = f64_to_bf16(0x1p-20);
                     for (uint8_t& q : w.q) q = 15;
                   });
        const bool over = a > 1.5e35;
        const std::string where = fmt::format("{} {} {}", kernel, fp, a);
        EXPECT_EQ(j.compared.bad, 0) << where << ": " << j.compared.worst.got;
        EXPECT_EQ(j.right.bound.overflow[0] != 0, over) << where;
        EXPECT_EQ(j.right.bound.overflow[16], 0) << where << ": the other row";
        EXPECT_TRUE(std::isfinite(j.right.twin.declared[0])) << where;
        EXPECT_EQ(std::isfinite(j.value(0)), !over) << where << ": " << j.value(0);
        std::vector<uint16_t> inf = j.y;
        inf[0] = inf[16] = 0x7f80;
        EXPECT_EQ(j.of(inf).bad, over ? 1 : 2) << where;
      }
    }
  }
}

// The same sums in fp16, and by matrix instructions, have no such intermediate.
TEST(SpecialValues, NoOtherDeclarationAllowsThat) {
  for (const std::string line :
       {"decode m=1 n=16 k=512 g=64 act=f16", "prefill m=1 n=16 k=512 g=64 act=bf16",
        "prefill_dense m=1 n=16 k=512 g=64 act=bf16"}) {
    const Judged j = judged(line, [](Arrays& x, Weights& w) {
      const double a = w.act == DType::f16 ? 65504 : 3e36;
      for (size_t i = 0; i < 16; ++i) x.a[32 + i] = from_f64(w.act, a);
      for (uint16_t& s : w.s) s = from_f64(w.act, 0x1p-20);
    });
    EXPECT_EQ(j.right.bound.overflow[0], 0) << line;
    EXPECT_EQ(j.compared.bad, 0) << line << ": " << j.compared.worst.got;
    EXPECT_TRUE(std::isfinite(j.value(0))) << line;
  }
}

// (q - z) s = 15 * 8192 is past fp16: prefill has Inf there, and NaN where the activation is 0,
// though y is 0 or finite. Decode scales an fp32 sum and must be finite.
TEST(SpecialValues, RoundedWeightsOverflowAndExactOnesDoNot) {
  for (const std::string kernel :
       {"decode", "chunked", "prefill", "prefill_dense", "prefill_carrier"}) {
    const Judged j = judged(kernel + " m=3 n=16 k=64 g=32 zp=packed", [](Arrays& x, Weights& w) {
      std::ranges::fill(x.a, uint16_t{0});
      std::ranges::fill(w.q, uint8_t{8});
      std::ranges::fill(w.z, uint8_t{8});
      std::ranges::fill(w.s, f64_to_f16(0x1p-4));
      w.q[5] = 15, w.z[0] = 0, w.s[0] = f64_to_f16(8192);  // channel 0
      x.a[5] = f64_to_f16(0x1p-10);                        // row 0
      x.a[64 + 5] = f64_to_f16(-0x1p-10);                  // row 1; row 2: zeros
    });
    const bool rounded = kernel.starts_with("prefill");
    EXPECT_EQ(j.compared.bad, 0) << kernel << ": " << j.compared.pattern;
    if (rounded) {
      // The channel's other codes of group 0 are 8 * 8192, past fp16 too: 0 times Inf.
      EXPECT_TRUE(std::isnan(j.value(0))) << kernel << " " << j.value(0);
      EXPECT_TRUE(std::isnan(j.value(32))) << kernel << " " << j.value(32);
    } else {
      EXPECT_EQ(j.value(0), 120) << kernel;
      EXPECT_EQ(j.value(16), -120) << kernel;
      EXPECT_EQ(j.value(32), 0) << kernel;
    }
    EXPECT_EQ(j.value(1), 0) << kernel;
    std::vector<uint16_t> other = j.y;
    other[0] = rounded ? f64_to_f16(120) : 0x7c00;
    EXPECT_EQ(j.of(other).bad, 1) << kernel;
  }
}

// One weight that is Inf among finite ones and no activation of 0: Inf with its sign, by the
// carrier also where only q s is past fp16.
TEST(SpecialValues, AnInfiniteWeightGivesInfinityWithItsSign) {
  struct Row {
    const char* kernel;
    int q, z;
    double s, want;  // of the weight
  };
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Row& r :
       {Row{"prefill", 15, 8, 16384, kInf}, Row{"prefill", 0, 8, 16384, -kInf},
        Row{"prefill", 15, 14, 16384, 16384}, Row{"prefill_dense", 0, 8, 16384, -kInf},
        Row{"prefill_carrier", 15, 14, 16384, kInf - kInf},
        Row{"prefill_carrier", 3, 8, 8192, kInf - kInf},
        Row{"prefill_carrier", 15, 3, 4369, kInf}}) {
    const Judged j =
        judged(std::string(r.kernel) + " m=1 n=8 k=64 g=32 zp=packed", [&](Arrays& x, Weights& w) {
          std::ranges::fill(x.a, f64_to_f16(1));
          std::ranges::fill(w.s, f64_to_f16(r.s));
          std::ranges::fill(w.z, static_cast<uint8_t>(r.z));
          std::ranges::fill(w.q, static_cast<uint8_t>(r.z));
          for (size_t k = 32; k < 64; ++k) w.s[1] = 0;
          w.q[5] = static_cast<uint8_t>(r.q);
        });
    EXPECT_EQ(j.compared.bad, 0) << r.kernel << " " << r.q << " " << r.z << ": got "
                                 << j.compared.worst.got << " in [" << j.compared.worst.low << ", "
                                 << j.compared.worst.high << "]";
    EXPECT_TRUE(j.value(0) == r.want || (std::isnan(j.value(0)) && std::isnan(r.want)))
        << r.kernel << " " << r.q << " " << r.z << ": " << j.value(0);
  }
}

// Every class that a row of fill=special has is the machine code's, and no other class passes.
TEST(SpecialValues, AWrongClassIsOutsideEverywhere) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const std::string kernel :
       {"decode m=5", "chunked m=5", "prefill m=9", "prefill_dense m=9", "prefill_carrier m=9",
        "moe m=8 experts=2 blockm=2", "moe_prefill m=8 experts=2 blockm=16"}) {
    for (const DType t : {DType::f16, DType::bf16}) {
      const Judged j = judged(
          fmt::format("{} n=16 k=256 g=64 zp=packed act={} fill=special", kernel, name_of(t)),
          [](Arrays&, Weights&) {});
      EXPECT_EQ(j.compared.bad, 0) << kernel << ": " << j.compared.pattern;
      int nan = 0, infinite = 0;
      for (size_t i = 0; i < j.y.size(); ++i) {
        const double y = j.value(i);
        nan += std::isnan(y);
        infinite += std::isinf(y);
        std::vector<double> wrong{std::isfinite(y) ? kInf : 1.0};
        // Between Inf and NaN the offset trick declares no choice.
        const bool declared_away = j.right.bound.overflow[i] != 0 && !j.right_is_nan(i);
        if (std::isinf(y) && !declared_away) wrong.insert(wrong.end(), {-y, std::nan("")});
        if (std::isnan(y) && !declared_away) wrong.insert(wrong.end(), {kInf, -kInf});
        if (std::isfinite(y)) wrong.insert(wrong.end(), {-kInf, std::nan("")});
        for (const double v : wrong) {
          std::vector<uint16_t> other = j.y;
          other[i] = from_f64(t, v);
          ASSERT_EQ(j.of(other).bad, 1) << kernel << " " << i << ": " << v << " for " << y;
        }
      }
      EXPECT_GT(nan, 0) << kernel << " " << name_of(t);
      // bf16 with the offset trick: an infinite activation is declared away.
      if (t == DType::f16 || kernel.find("prefill") != kernel.npos)
        EXPECT_GT(infinite, 0) << kernel;
    }
  }
}

TEST(SpecialValues, ZerosHaveNoSignAndNansNoPayload) {
  for (const DType t : {DType::f16, DType::bf16}) {
    const Judged j = judged(fmt::format("decode m=2 n=16 k=256 g=64 act={} fp=ieee", name_of(t)),
                            [](Arrays& x, Weights& w) {
                              for (size_t k = 0; k < 256; ++k) x.a[k] = 0;
                              x.a[256] = w.act == DType::f16 ? 0x7e00 : 0x7fc0;
                            });
    EXPECT_EQ(j.compared.bad, 0);
    std::vector<uint16_t> other = j.y;
    for (size_t n = 0; n < 16; ++n) {
      EXPECT_EQ(j.value(n), 0);
      EXPECT_TRUE(std::isnan(j.value(16 + n)));
      other[n] ^= 0x8000;
      other[16 + n] = static_cast<uint16_t>((n % 2 == 0 ? 0x8000 : 0) |
                                            (t == DType::f16 ? 0x7c01 : 0x7f81) | n);
    }
    EXPECT_EQ(j.of(other).bad, 0);
    other[3] = 1;  // the smallest number there is
    EXPECT_EQ(j.of(other).bad, 1);
  }
}

}  // namespace
}  // namespace w4::test
