// law=: each law is kept by a right kernel, bit for bit where it says so, and broken by one that is
// right but for what the law is about.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/table.h"
#include "tests/verify/fake_device.h"
#include "tests/verify/law_breakers.h"
#include "verify/laws/relate.h"
#include "verify/run_case.h"

namespace w4::test {
namespace {

using testing::HasSubstr;

class Laws : public testing::Test {
 protected:
  Laws() {
    context_.put_device("gfx1151", std::make_unique<FakeDevice>());
    context_.put_module("fake", &law_breakers());
  }
  Verdict run(const std::string& text) {
    const auto c = parse_case(text + " module=fake");
    EXPECT_TRUE(c.has_value()) << (c ? "" : c.error().text);
    return run_case(*c, context_);
  }
  Context context_;
};

// A line that a law applies to, for every law of a dense kernel.
struct Line {
  const char *law, *rest;
};
constexpr Line kLines[] = {
    {"power_act", "m=2 n=16 k=128 g=64 zp=packed bias=n"},
    {"power_scale", "m=2 n=16 k=128 g=64 zp=packed"},
    {"permute_n", "m=2 n=16 k=64 g=64 zp=packed bias=mxn"},
    {"row_alone", "m=3 n=16 k=64 g=64 bias=mx1"},
    {"row_isolation", "m=3 n=16 k=64 g=64"},
    {"zero_shift", "m=2 n=16 k=64 g=32 zp=packed"},
    {"implicit_8", "m=2 n=16 k=64 g=32"},
    {"zero_form", "m=2 n=16 k=64 g=32 zp=packed"},
    {"unused_zeros", "m=2 n=16 k=64 g=32"},
    {"split_groups", "m=2 n=16 k=128 g=64 zp=packed"},
    {"no_bias", "m=2 n=16 k=64 g=32 bias=n"},
    {"bias_adds", "m=2 n=16 k=64 g=32 fill=integer"},
    {"extend_k", "m=2 n=16 k=128 g=64 zp=packed"},
    {"tail_act", "m=2 n=16 k=64 g=64 seed=5"},
    {"repeat", "m=2 n=16 k=64 g=32"},
    {"schedule", "m=2 n=16 k=64 g=32"},
    {"cu_count", "m=2 n=16 k=64 g=32 cus=20"},
    {"addresses", "m=2 n=16 k=64 g=32"},
    {"one_hot", "m=2 n=16 k=64 g=32 bias=n"},
    {"routes", "m=2 n=16 k=64 g=32"},
    {"k_shards", "m=2 n=16 k=128 g=64 bias=n"},
};

TEST_F(Laws, ARightKernelKeepsEachOne) {
  for (const Line& l : kLines) {
    for (const char* more : {"", " act=bf16"}) {
      const Verdict v = run(fmt::format("right {}{} law={}", l.rest, more, l.law));
      EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
      ASSERT_TRUE(v.ran.relation) << to_string(v);
      const bool bits = can_be_exact(*law_from(l.law));
      EXPECT_EQ(v.ran.relation->exact > 0, bits) << to_string(v);
      EXPECT_GT(v.ran.relation->exact + v.ran.relation->within, 0) << to_string(v);
    }
  }
}

TEST_F(Laws, WhatBreaksOneIsFoundByIt) {
  for (const Line& l : kLines) {
    const std::string line = fmt::format("{} {} law={}", l.law, l.rest, l.law);
    const Verdict v = run(line);
    const auto* broken = std::get_if<LawBroken>(&v.primary());
    ASSERT_NE(broken, nullptr) << to_string(v);
    EXPECT_EQ(broken->law, l.law);
    EXPECT_GE(broken->m, 0);
    EXPECT_GE(broken->n, 0);
    EXPECT_FALSE(v.green());
    EXPECT_EQ(parse_case(v.line)->law, *law_from(l.law));
    EXPECT_THAT(to_string(v), HasSubstr(fmt::format("law={}", l.law)));
  }
  EXPECT_EQ(run("addresses_wei m=2 n=16 k=64 g=32 law=addresses").kind(), VerdictKind::law_broken);
  EXPECT_EQ(run("addresses_neighbour m=2 n=16 k=64 g=32 law=addresses").kind(),
            VerdictKind::law_broken);
}

// A negative gate times 0 is -0, which costs the adder of gfx11 a unit: not the weight's fault.
TEST(LawsOfBuiltIn, OneHotActivationsOfASiluLayerHaveNoNegativeZeros) {
  Context context;
  const Verdict v = run_case(
      *parse_case("moe n=8 k=32 g=32 act=bf16 wpad=0 spad=0 cus=1 lds=65536 experts=4 topk=4 "
                  "silu=1 fill=extreme seed=50051 law=one_hot"),
      context);
  EXPECT_NE(v.kind(), VerdictKind::law_broken) << to_string(v);
  ASSERT_TRUE(v.ran.relation);
  EXPECT_EQ(v.ran.relation->exact, 32);
}

// What a law makes of the data may be below what the adder of gfx11 is off by: that the pass proves
// little is no fault of the case, whose fill would have shown something.
TEST(LawsOfBuiltIn, DataOfALawPromiseNoSignal) {
  Context context;
  for (const char* line :
       {"decode n=16 k=512 act=bf16 bias=1x1 src=gptq1 fill=lane seed=22513 law=one_hot",
        "decode m=3 n=8 k=512 g=64 act=bf16 zp=packed bias=mx1 pad=v3 fill=lane seed=56689 "
        "law=zero_shift"}) {
    const Verdict v = run_case(*parse_case(line), context);
    EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
    ASSERT_TRUE(v.ran.relation);
    EXPECT_GT(v.ran.relation->exact + v.ran.relation->within, 0);
  }
}

TEST_F(Laws, SayWhichElementIsBroken) {
  const Verdict v = run("one_hot m=2 n=16 k=64 g=32 law=one_hot");
  const auto* broken = std::get_if<LawBroken>(&v.primary());
  ASSERT_NE(broken, nullptr) << to_string(v);
  EXPECT_EQ(broken->m, 1);
  EXPECT_EQ(broken->n, 3);
}

TEST_F(Laws, EveryCallIsJudgedByItselfToo) {
  const Verdict v = run("k_shards m=2 n=16 k=128 g=64 law=k_shards");
  const auto further = std::ranges::find_if(v.outcomes, [](const Outcome& o) {
    const auto* m = std::get_if<Mismatch>(&o);
    return m != nullptr && m->pattern.contains("in the further call 'k_shards m=2 n=16");
  });
  EXPECT_NE(further, v.outcomes.end()) << to_string(v);
}

TEST_F(Laws, AnotherInstantiationIsJudgedWithinBounds) {
  const Verdict v = run("other_word m=3 n=16 k=64 g=64 law=row_alone");
  EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
  ASSERT_TRUE(v.ran.relation);
  EXPECT_EQ(v.ran.relation->exact, 0);
  EXPECT_EQ(v.ran.relation->within, 16);
  EXPECT_THAT(v.ran.relation->why, HasSubstr("the instantiations differ: 'm3 g64 wide"));
}

// Only what a law changes of the data may excuse a call that proves little.
TEST_F(Laws, APassThatProvesLittleStaysOne) {
  const Verdict v = run("right m=2 n=16 k=64 g=64 only=n0..0 law=repeat");
  EXPECT_EQ(v.kind(), VerdictKind::mistrusted) << to_string(v);
  ASSERT_TRUE(v.ran.relation);
  EXPECT_EQ(v.ran.relation->exact, 32);
}

// Both ways past each other: up and down.
TEST_F(Laws, IntervalsApartAreDifferentNumbers) {
  const Verdict v = run("right m=2 n=16 k=64 g=64 seed=5 law=tail_act");
  ASSERT_TRUE(v.ran.relation) << to_string(v);
  EXPECT_GT(v.ran.relation->exact, 24);  // of 32
}

// Subnormal and rounded outputs are no multiples of each other.
TEST_F(Laws, PowersOfTwoAreExactOnlyWhereNothingIsSubnormal) {
  int64_t exact = 0, within = 0;
  for (const char* law : {"power_act", "power_scale"}) {
    for (const char* fill : {"extreme", "normal", "cancel"}) {
      for (int seed = 0; seed < 40; ++seed) {
        const Verdict v = run(fmt::format(
            "right m=2 n=16 k=64 g=32 zp=packed fill={} seed={} law={}", fill, seed, law));
        ASSERT_TRUE(v.kind() == VerdictKind::pass || v.kind() == VerdictKind::mistrusted ||
                    v.kind() == VerdictKind::skipped)
            << to_string(v);
        if (v.ran.relation) exact += v.ran.relation->exact, within += v.ran.relation->within;
      }
    }
  }
  EXPECT_GT(exact, 0);
  EXPECT_GT(within, 0);
}

// A plan whose calls are not the same sum is the harness's error, not a finding.
TEST_F(Laws, ReferencesThatBreakTheLawAreNobodysFinding) {
  const auto one = make_setup(*parse_case("right m=1 n=8 k=64 g=64 module=fake"), context_);
  const auto two = make_setup(*parse_case("right m=1 n=8 k=64 g=64 seed=2 module=fake"), context_);
  ASSERT_TRUE(one && two);
  const Side first = Given(*one, context_).side(), second = Given(*two, context_).side();
  Call a(*one);
  const Trial here = try_call(*one, a, first.x, *first.source);
  Call b(*two);
  const Trial there = try_call(*two, b, second.x, *second.source);
  ASSERT_TRUE(here.complete() && there.complete());
  const Plan plan{.first = first, .more = {second}};
  const Done more[] = {{&*two, &second, &there}};
  const Related r = relate(plan, {&*one, &first, &here}, more, "");
  EXPECT_THAT(r.trouble, HasSubstr("the references break the law at out[m=0, n="));
  const Done same[] = {{&*one, &first, &here}};
  EXPECT_EQ(relate(plan, {&*one, &first, &here}, same, "").trouble, "");
}

TEST_F(Laws, ATextNamesBothCallsValuesAndBits) {
  const Verdict v = run("permute_n m=1 n=8 k=64 g=64 law=permute_n");
  const auto* broken = std::get_if<LawBroken>(&v.primary());
  ASSERT_NE(broken, nullptr) << to_string(v);
  EXPECT_THAT(broken->first_line, HasSubstr("n=8 k=64"));
  EXPECT_THAT(broken->second_line, HasSubstr("with its rows of N in another order"));
  EXPECT_THAT(broken->detail,
              HasSubstr("2 of 8 elements (the only row, 2 of 8 columns: 0, 4); out[m=0, n="));
  EXPECT_THAT(broken->detail, HasSubstr("(0x"));
  EXPECT_THAT(broken->detail, HasSubstr("bit for bit"));
  const Verdict other = run("cu_count m=2 n=16 k=64 g=32 cus=20 law=cu_count");
  const auto& l = std::get<LawBroken>(other.primary());
  const auto second = parse_case(l.second_line);  // a line of its own
  ASSERT_TRUE(second) << l.second_line;
  EXPECT_NE(second->problem.cus, 20);
  EXPECT_EQ(second->law, Law::reference);
}

TEST_F(Laws, WhatIsNotPromisedIsJudgedWithinBounds) {
  const Verdict v = run("promises_nothing m=1 n=16 k=64 g=64 law=permute_n");
  EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
  ASSERT_TRUE(v.ran.relation);
  EXPECT_EQ(v.ran.relation->exact, 0);
  EXPECT_THAT(v.ran.relation->why, HasSubstr("does not promise"));
}

TEST_F(Laws, SaysWhyOneDoesNotApply) {
  const auto why = [&](const std::string& line) {
    const Verdict v = run(line);
    const auto* s = std::get_if<Skipped>(&v.primary());
    EXPECT_NE(s, nullptr) << to_string(v);
    EXPECT_FALSE(v.ran.relation);
    return s ? s->detail : "";
  };
  EXPECT_THAT(why("right m=1 n=8 k=64 g=32 law=row_alone"), HasSubstr("M is 1"));
  EXPECT_THAT(why("right m=2 n=8 k=64 g=32 law=zero_shift"), HasSubstr("symmetric"));
  EXPECT_THAT(why("right m=2 n=8 k=64 g=32 law=split_groups"), HasSubstr("group.size"));
  EXPECT_THAT(why("right m=2 n=8 k=64 g=64 law=k_shards"), HasSubstr("one group"));
  EXPECT_THAT(why("right m=2 n=8 k=64 g=64 law=experts_dense"), HasSubstr("no experts"));
}

TEST_F(Laws, IllegalProblemsAreRefusedAllTheSame) {
  for (const Law l : all_laws()) {
    const Verdict v = run(fmt::format("right m=6 n=8 k=64 g=32 law={}", name_of(l)));
    const auto* r = std::get_if<Refused>(&v.primary());
    ASSERT_NE(r, nullptr) << to_string(v);
    EXPECT_EQ(r->clause, "m.range");
    EXPECT_TRUE(v.green());
  }
}

TEST_F(Laws, TheSameLineIsTheSameSecondCall) {
  const auto second = [&] {
    return std::get<LawBroken>(run("schedule m=2 n=16 k=64 g=32 law=schedule").primary())
        .second_line;
  };
  EXPECT_EQ(second(), second());
}

// Built-in kernels behind a call that is not the one that was asked for.
const w4_kernel& built_in(std::string_view name) {
  const w4_module& m = builtin_module();
  for (int32_t i = 0; i < m.kernel_count; ++i) {
    if (name == m.kernels[i].name) return m.kernels[i];
  }
  ADD_FAILURE() << name;
  return m.kernels[0];
}

Verdict run_changed(w4_kernel kernel, decltype(w4_kernel::run) run, const std::string& line) {
  kernel.run = run;
  const w4_module module{W4_MODULE_VERSION, sizeof(w4_kernel), "changed", &kernel, 1};
  Context context;
  context.put_module("changed", &module);
  return run_case(*parse_case(line + " module=changed"), context);
}

TEST(LawsOfRealCode, ATileThatFollowsTheCuCountShowsInTheBits) {
  // 32 products a chunk on an even number of compute units, 16 otherwise: another order of sums,
  // which fp16 hides but where large terms cancel.
  const auto run = [](const w4_kernel*, const w4_call* call, const w4_device* device) {
    w4_call other = *call;
    other.tile = call->cu_count % 2 == 0 ? "y1u4a32w16" : "y1u4a16w16";
    const w4_kernel& inner = built_in("chunked");
    return inner.run(&inner, &other, device);
  };
  int broken = 0;
  for (int seed = 0; seed < 8; ++seed) {
    const Verdict v = run_changed(
        built_in("chunked"), run,
        fmt::format("chunked n=64 k=4096 g=64 act=bf16 cus=5 fill=cancel seed={} law=cu_count",
                    seed));
    if (v.kind() != VerdictKind::law_broken) continue;
    ++broken;
    EXPECT_EQ(v.outcomes.size(), 1u) << "both calls are within their intervals\n" << to_string(v);
  }
  EXPECT_GT(broken, 0);
}

TEST(LawsOfRealCode, CountTheInstructionsOfEveryCall) {
  Context context;
  const auto count = [&](const char* line) {
    return run_case(*parse_case(line), context).ran.wave_instructions;
  };
  const auto alone = count("decode n=16 k=64 g=64");
  EXPECT_GT(alone, 0u);
  EXPECT_EQ(count("decode n=16 k=64 g=64 law=repeat"), 2 * alone);
}

// The adder of gfx11 takes units off a weight of 1 for zeros that oppose it; a bias of -1 shows
// them.
TEST(LawsOfRealCode, ABiasThatTakesTheWeightOffLeavesUnits) {
  Context context;
  const Verdict v = run_case(
      *parse_case("decode m=5 n=16 k=512 g=64 zp=packed bias=mxn cus=20 fill=integer seed=34315 "
                  "fp=gfx1151 law=one_hot"),
      context);
  EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
  ASSERT_TRUE(v.ran.relation);
  EXPECT_EQ(v.ran.relation->within, 1);
}

TEST(LawsOfRealCode, ALayerOfExpertsThatForgetsItsZeroPoints) {
  const auto run = [](const w4_kernel*, const w4_call* call, const w4_device* device) {
    w4_call other = *call;
    other.zp = nullptr;
    const w4_kernel& inner = built_in("moe");
    return inner.run(&inner, &other, device);
  };
  const Verdict v = run_changed(built_in("moe"), run,
                                "moe m=4 n=16 k=128 g=64 zp=packed experts=3 topk=2 "
                                "law=experts_dense");
  EXPECT_EQ(v.kind(), VerdictKind::law_broken) << to_string(v);
}

}  // namespace
}  // namespace w4::test
