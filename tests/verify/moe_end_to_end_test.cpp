// The MoE kernels' own code on the emulated archs and the host.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/moe_checks.h"
#include "tests/kernels/call_of.h"
#include "verify/materialise.h"
#include "verify/operands.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

class MoeEndToEnd : public testing::TestWithParam<const char*> {
 protected:
  Verdict run(const std::string& line) {
    const auto c = parse_case(line + " device=" + GetParam());
    EXPECT_TRUE(c.has_value()) << line << ": " << c.error().text;
    return c ? run_case(*c, context_) : Verdict{};
  }
  void expect_pass(const std::string& line) {
    const Verdict v = run(line);
    EXPECT_TRUE(v.green() && v.kind() == VerdictKind::pass) << to_string(v);
  }
  Context context_;
};

TEST_P(MoeEndToEnd, BlocksRowsTypesAndZeroPoints) {
  for (const char* act : {"f16", "bf16"}) {
    for (const char* zp : {"none", "packed"}) {
      for (int block_m = 1; block_m <= 5; ++block_m) {
        for (const char* rows : {"scattered", "contiguous"}) {
          expect_pass(
              fmt::format("moe m=4 n=24 k=320 g=32 experts=4 topk=3 blockm={} act={} zp={} "
                          "rows={} route=elsewhere",
                          block_m, act, zp, rows));
        }
      }
    }
  }
}

TEST_P(MoeEndToEnd, EveryRouting) {
  for (const char* route : {"uniform", "single", "skewed", "elsewhere", "nowhere", "outside"}) {
    for (const char* rows : {"scattered", "contiguous"}) {
      expect_pass(
          fmt::format("moe m=5 n=24 k=512 g=64 experts=7 topk=3 blockm=2 zp=packed wpad=8 "
                      "spad=2 route={} rows={}",
                      route, rows));
    }
  }
}

// A single activation a row: the product is exact, so that every bit of the gate counts.
TEST_P(MoeEndToEnd, GateBitForBit) {
  for (const char* act : {"f16", "bf16"}) {
    for (const int k : {256, 512, 1024, 2048}) {
      expect_pass(
          fmt::format("moe m=5 n=16 k={} g=64 experts=6 topk=4 silu=1 act={} fill=onehot "
                      "fp=ieee seed={}",
                      k, act, k));
    }
  }
  for (const char* fill : {"normal", "extreme", "special", "cancel"}) {
    for (const char* act : {"f16", "bf16"}) {
      expect_pass(
          fmt::format("moe m=3 n=16 k=768 experts=4 topk=2 silu=1 act={} fill={}", act, fill));
    }
  }
}

TEST_P(MoeEndToEnd, BothSidesOfBothArrays) {
  for (int block_m = 1; block_m <= 5; ++block_m) {
    for (const int64_t array : {8192, 32768}) {
      const int64_t fits = array / block_m / 32 * 32;
      for (const int64_t k : {fits, fits + 32}) {
        expect_pass(
            fmt::format("moe m=3 n=9 k={} g=32 experts=2 topk=2 blockm={} cus=2", k, block_m));
      }
    }
  }
}

TEST_P(MoeEndToEnd, Prefill) {
  for (const char* act : {"f16", "bf16"}) {
    for (const char* zp : {"none", "packed"}) {
      for (const int block_m : {16, 32, 64}) {
        for (const char* rows : {"scattered", "contiguous"}) {
          expect_pass(
              fmt::format("moe_prefill m=17 n=72 k=192 g=32 experts=4 topk=3 blockm={} "
                          "act={} zp={} rows={} route=elsewhere",
                          block_m, act, zp, rows));
        }
      }
    }
  }
  for (const char* route : {"uniform", "single", "skewed", "nowhere", "outside"}) {
    expect_pass(fmt::format(
        "moe_prefill m=9 n=67 k=256 g=64 experts=7 topk=3 blockm=16 wpad=8 spad=2 route={}",
        route));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, MoeEndToEnd,
                         testing::Values("gfx1151", "gfx1201", "gfx1100", "host"),
                         [](const auto& p) { return std::string(p.param); });

// Descriptors that no case line makes.
TEST(MoeChecks, RefuseWhatNoProblemMakes) {
  const auto c = parse_case("moe m=3 n=16 k=256 g=64 experts=4 topk=2 blockm=2 zp=packed");
  const Arrays x = make_arrays(*c, make_weights(*c));
  const auto clause = [&](auto&& change) -> std::string {
    Operands ops = plan_operands(c->problem, {}, &x);
    uint64_t address = 0x10000;
    for (Operand* o :
         {&ops.act, &ops.wei, &ops.scale, &ops.out, &*ops.zp, &*ops.expert_ids, &*ops.sorted_ids}) {
      o->desc.device = address += 0x10000;
    }
    w4_call call = ops.call(c->problem, {20, 65536}, "");
    change(ops, call);
    const Recorder recorder;
    const auto why = check_moe(call, recorder.device);
    if (why) EXPECT_THAT(why->message, testing::HasSubstr("legal"));
    return why ? why->clause : "accepted";
  };
  using Ops = Operands&;
  using Call = w4_call&;
  EXPECT_EQ(clause([](Ops, Call) {}), "accepted");
  EXPECT_EQ(clause([](Ops, Call k) { k.expert_ids = nullptr; }), "experts.positive");
  EXPECT_EQ(clause([](Ops, Call k) { k.wei = nullptr; }), "weight.stride");
  EXPECT_EQ(clause([](Ops o, Call) { o.wei.desc.rank = 2; }), "experts.positive");
  EXPECT_EQ(clause([](Ops o, Call) { o.scale.desc.dim[0] = 3; }), "experts.positive");
  EXPECT_EQ(clause([](Ops o, Call) { o.zp->desc.dim[0] = 5; }), "experts.positive");
  EXPECT_EQ(clause([](Ops o, Call) { o.wei.desc.stride[0] -= 4; }), "weight.stride");
  EXPECT_EQ(clause([](Ops o, Call) { o.wei.desc.stride[0] += 2; }), "weight.stride");
  EXPECT_EQ(clause([](Ops o, Call) { o.wei.desc.stride[0] += 64; }), "accepted");
  EXPECT_EQ(clause([](Ops o, Call) { o.scale.desc.stride[0] -= 1; }), "scale.stride");
  EXPECT_EQ(clause([](Ops o, Call) { o.zp->desc.stride[0] -= 1; }), "scale.stride");
  EXPECT_EQ(clause([](Ops o, Call) { o.zp->desc.stride[1] += 1; }), "scale.stride");
  EXPECT_EQ(clause([](Ops o, Call) { o.expert_ids->desc.dim[0] -= 1; }), "ids.dtype");
  EXPECT_EQ(clause([](Ops o, Call) { o.expert_ids->desc.stride[0] = 2; }), "ids.dtype");
  EXPECT_EQ(clause([](Ops o, Call) { o.sorted_ids->desc.dtype = W4_I64; }), "ids.dtype");
  EXPECT_EQ(clause([](Ops o, Call) { o.sorted_ids->desc.layout = W4_EXPERT_IDS; }), "ids.dtype");
  EXPECT_EQ(clause([](Ops, Call k) { k.sorted_ids = nullptr; }), "ids.dtype");
  EXPECT_EQ(clause([](Ops o, Call) { o.out.desc.dim[0] = 7; }), "act.contiguous");
  EXPECT_EQ(clause([](Ops, Call k) { k.top_k = 1; }), "act.contiguous");
  EXPECT_EQ(clause([](Ops o, Call) { o.out.desc.dtype = W4_F32; }), "out.contiguous");
  EXPECT_EQ(clause([](Ops o, Call) { o.act.desc.stride[1] = 2; }), "act.contiguous");
  EXPECT_EQ(clause([](Ops, Call k) { k.silu = 1; }), "silu.guard");
  EXPECT_EQ(clause([](Ops, Call k) { k.tile = "y2"; }), "tile.moe");
}

// Illegal in one way, and in ways that made other parts of the case large.
TEST(MoeCases, IllegalCallsOfAnySizeAreRefusedOrTooLarge) {
  Context context;
  for (const char* line :
       {"moe m=2147483647 n=16 k=128 g=64 experts=3 topk=-1 blockm=2",
        "moe_prefill m=9 n=16 k=128 g=64 experts=-8 topk=2 blockm=4611686018427387904",
        "decode m=3 n=16 g=64 experts=-3 blockm=2147483647",
        "moe_prefill m=9 n=16 k=128 g=64 lda=2147483647 experts=3 topk=-2 blockm=16"}) {
    const Verdict v = run_case(*parse_case(line), context);
    const auto* skipped = std::get_if<Skipped>(&v.primary());
    EXPECT_TRUE(v.green() || (skipped && skipped->reason == SkipReason::too_large)) << to_string(v);
  }
  for (const auto& [line, clause] :
       {std::pair("moe m=4 n=16 k=128 g=64 experts=3 topk=2 lead=2", "act.rank"),
        {"moe_prefill m=9 n=16 k=128 g=64 experts=3 blockm=16 lead=-1", "act.rank"},
        {"moe_prefill m=9 n=1 k=3 g=64 experts=3 blockm=16", "weight.stride"}}) {
    const Verdict v = run_case(*parse_case(line), context);
    ASSERT_EQ(v.kind(), VerdictKind::refused) << to_string(v);
    EXPECT_TRUE(v.green()) << to_string(v);
    EXPECT_EQ(std::get<Refused>(v.primary()).clause, clause) << line;
  }
}

}  // namespace
}  // namespace w4
