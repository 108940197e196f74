// What a MoE case becomes: routing, ids, rows, and the reference put together from its experts.
#include "verify/experts.h"

#include <gmock/gmock.h>

#include <set>

#include "reference/experts.h"
#include "verify/elements.h"
#include "verify/materialise.h"
#include "verify/operands.h"

namespace w4 {
namespace {

using testing::Each;
using testing::ElementsAre;

Case parsed(const std::string& line) {
  const auto c = parse_case("moe " + line);
  EXPECT_TRUE(c) << line << ": " << c.error().text;
  return c.value_or(Case{});
}

std::vector<int32_t> routed(const std::string& line) {
  const Case c = parsed(line);
  return route_slots(c.problem, c.seed);
}

uint16_t sum_of_bits(w4_dtype, uint16_t gate, uint16_t up) {
  return static_cast<uint16_t>(gate + up);
}

TEST(Routing, UniformTakesEachExpertOfATokenOnce) {
  const auto experts = routed("experts=8 topk=5 m=40 seed=3");
  std::set<int32_t> all;
  for (size_t t = 0; t < 40; ++t) {
    const std::set<int32_t> of(experts.begin() + t * 5, experts.begin() + t * 5 + 5);
    EXPECT_EQ(of.size(), 5u);
    all.insert(of.begin(), of.end());
  }
  EXPECT_EQ(all.size(), 8u);
  EXPECT_EQ(*all.rbegin(), 7);
  EXPECT_NE(experts, routed("experts=8 topk=5 m=40 seed=4"));
}

TEST(Routing, FirstTokensStayWhereMoreCome) {
  auto many = routed("experts=8 topk=3 m=20");
  many.resize(12);
  EXPECT_EQ(many, routed("experts=8 topk=3 m=4"));
}

TEST(Routing, SingleElsewhereNowhereSkewed) {
  EXPECT_THAT(routed("experts=4 topk=2 m=2 route=single"), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(routed("experts=4 topk=2 m=9 route=nowhere"), Each(-1));
  const auto uniform = routed("experts=9 topk=3 m=50");
  const auto elsewhere = routed("experts=9 topk=3 m=50 route=elsewhere");
  for (size_t s = 0; s < uniform.size(); ++s) {
    EXPECT_EQ(elsewhere[s], uniform[s] % 3 == 2 ? -1 : uniform[s]);
  }
  EXPECT_EQ(routed("experts=9 topk=3 m=50 route=outside"), elsewhere);
  const auto skewed = routed("experts=16 topk=1 m=400 route=skewed");
  const auto popular = std::ranges::count_if(skewed, [](int32_t e) { return e < 4; });
  EXPECT_GT(popular, 400 * 0.55);  // half, and a quarter of the other half
  EXPECT_LT(popular, 400 * 0.70);
}

TEST(Routing, OutsideIdsAreNoExperts) {
  const Case c = parsed("experts=9 topk=3 m=50 n=8 k=32 g=32 route=outside");
  const Arrays x = make_arrays(c, make_weights(c));
  std::set<int32_t> strange;
  for (int32_t id : x.moe->expert_ids) {
    if (id < 0 || id >= 9) strange.insert(id);
  }
  EXPECT_GE(strange.size(), 4u);
  EXPECT_TRUE(strange.contains(9) && strange.contains(-2));
}

TEST(ExpertArrays, ScatteredRowsAreSlotsOfTheirTokens) {
  const Case c = parsed("experts=4 topk=3 m=5 n=8 k=32 g=32 blockm=2");
  const Arrays x = make_arrays(c, make_weights(c));
  ASSERT_EQ(x.m, 15);
  EXPECT_EQ(x.moe->act_rows, 5);
  for (size_t s = 0; s < 15; ++s) {
    for (size_t k = 0; k < 32; ++k) EXPECT_EQ(x.a[s * 32 + k], x.moe->act[s / 3 * 32 + k]);
  }
  EXPECT_EQ(x.moe->sorted_ids.size(), 2 * x.moe->expert_ids.size());
}

TEST(ExpertArrays, ContiguousRowsFollowTheBlocksAndTheLastIsRagged) {
  const Case c = parsed("experts=2 topk=1 m=5 n=8 k=32 g=32 blockm=4 route=single rows=contiguous");
  const Arrays x = make_arrays(c, make_weights(c));
  EXPECT_EQ(x.m, 5);
  EXPECT_THAT(x.moe->expert_ids, ElementsAre(0, 0));
  EXPECT_TRUE(x.moe->sorted_ids.empty());
  const Case two =
      parsed("experts=2 topk=2 m=3 n=8 k=32 g=32 blockm=4 route=single rows=contiguous");
  const Arrays y = make_arrays(two, make_weights(two));
  EXPECT_THAT(y.moe->expert, ElementsAre(0, 0, 0, 0, 1, 1, 1));
}

TEST(ExpertArrays, GateIsWhatTheKernelDeclares) {
  const Case c = parsed("experts=4 topk=2 m=3 n=8 k=32 g=32 silu=1");
  const Arrays x = make_arrays(c, make_weights(c), sum_of_bits);
  ASSERT_EQ(x.moe->act.size(), 6u * 64);
  ASSERT_EQ(x.a.size(), 6u * 32);
  for (size_t s = 0; s < 6; ++s) {
    for (size_t k = 0; k < 32; ++k) {
      const uint16_t gate = x.moe->act[s * 64 + k], up = x.moe->act[s * 64 + 32 + k];
      EXPECT_EQ(x.a[s * 32 + k], static_cast<uint16_t>(gate + up));
    }
  }
}

class Exact final : public Numerics {
 public:
  void weights(double z, double s, std::span<double, 16> out) const override {
    for (int q = 0; q < 16; ++q) out[static_cast<size_t>(q)] = (q - z) * s;
  }
  uint16_t store(double acc, double, bool) const override { return f64_to_f16(acc); }
  Chain chain() const override { return {.steps = 20, .chunk = 16, .chunks = 1}; }
};

TEST(ExpertReference, IsTheSumOverTheRowsExpert) {
  const Case c = parsed("experts=4 topk=2 m=4 n=8 k=64 g=32 zp=packed route=elsewhere");
  const auto w = make_weights(c);
  const Arrays x = make_arrays(c, w);
  const Reference r = make_reference(x, Exact{}, Arithmetic::ieee, true);
  bool away = false;
  for (int64_t m = 0; m < x.m; ++m) {
    const int64_t e = x.moe->expert[static_cast<size_t>(m)];
    for (int64_t n = 0; n < 8; ++n) {
      double sum = 0;
      for (int64_t k = 0; e >= 0 && k < 64; ++k) {
        const int64_t row = e * 8 + n;
        sum += to_f64(DType::f16, x.a[static_cast<size_t>(m * 64 + k)]) *
               (w->q[static_cast<size_t>(row * 64 + k)] - w->zero(row, k / 32)) *
               w->scale(row, k / 32);
      }
      EXPECT_NEAR(r.twin.declared[r.twin.at(m, n)], sum, 1e-9);
      EXPECT_EQ(r.bound.b[r.twin.at(m, n)] == 0, e < 0);
    }
    away |= e < 0;
    EXPECT_EQ(x.promises(m), e >= 0);
  }
  EXPECT_TRUE(away);
}

TEST(ExpertOperands, NameTheirElements) {
  const Case c = parsed("experts=3 topk=2 m=4 n=8 k=64 g=32 zp=packed blockm=2");
  const Arrays x = make_arrays(c, make_weights(c));
  const Operands ops = plan_operands(c.problem, {}, &x);
  EXPECT_EQ(ops.wei.desc.rank, 3);
  EXPECT_EQ(ops.wei.desc.dim[0], 3);
  EXPECT_EQ(ops.wei.desc.stride[0], 8 * 32);
  EXPECT_EQ(element_at(ops, "wei", (2 * 8 + 5) * 32 + 4), "wei[e=2, n=5, k=8..15]");
  EXPECT_EQ(element_at(ops, "scale", ((8 + 1) * 2 + 1) * 2), "scale[e=1, n=1, group=1]");
  EXPECT_EQ(element_at(ops, "zp", (2 * 2 + 1) * 4), "zp[e=2, n=0..7, group=1]");
  EXPECT_EQ(element_at(ops, "out", (7 * 8 + 3) * 2), "out[slot=7, n=3]");
  EXPECT_EQ(element_at(ops, "expert_ids", 8), "expert_ids[2]");
  EXPECT_EQ(element_at(ops, "sorted_ids", 4), "sorted_ids[1]");
}

}  // namespace
}  // namespace w4
