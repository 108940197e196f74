// The host checks: each refusal, and agreement with the clauses of core/contract.h, which are
// predicates over the problem where these are over tensor descriptors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/case.h"
#include "core/contract.h"
#include "kernels/decode.h"
#include "kernels/decode_checks.h"
#include "tests/kernels/call_of.h"
#include "tests/kernels/refusals.h"

namespace w4 {
namespace {

using testing::HasSubstr;

Problem problem(std::string_view line) { return problem_of("decode", line); }

TEST(DecodeChecks, DeclaresOnlyClausesThatExistEachOnce) {
  expect_known_clauses_once(decode_kernel());
  const auto names = declared_by(decode_kernel());
  const auto declared_by_decode =
      std::ranges::count_if(all_clauses(), [](const Clause& c) { return w4::of_decode(c); });
  EXPECT_EQ(names.size(), static_cast<size_t>(declared_by_decode));
}

// Each breaks one clause of the descriptors, in the problem's terms.
constexpr RefusalLine kLines[] = {
    {"topk=2", "experts.none", "2"},
    {"blockm=4", "experts.none", "4"},
    {"silu=1", "experts.none", "silu = 1"},
    {"wpad=2", "weight.stride", "130"},
    {"wpad=-4", "weight.stride", "124"},
    {"act=f32 sdt=f32", "act.dtype", "f32"},
    {"sdt=bf16", "scale.dtype", "bf16"},
    {"g=48 k=240", "group.size", "48"},
    {"g=0", "group.size", "0"},
    {"g=-1", "group.size", "-1"},
    {"k=100 g=64", "k.group", "100"},
    {"spad=-1", "scale.stride", "1"},
    {"zp=packed zdt=f16", "zp.dtype", "f16"},
    {"zp=unpacked zdt=i32", "zp.dtype", "i32"},
    {"zp=unpacked zdt=bf16", "zp.dtype", "bf16"},
    {"zp=packed n=60", "zp.octet", "60"},
    {"m=5 k=7936", "lds.limit", "39680"},
    {"m=2 lda=320", "act.contiguous", "320"},
    {"m=1 lda=320", "act.contiguous", "320"},
    {"m=0", "m.range", "0"},
    {"m=6", "m.range", "6"},
    {"n=0", "n.positive", "0"},
    {"k=0", "k.positive", "0"},
    {"bias=32", "bias.shape", "[32]"},
    {"bias=2xn", "bias.shape", "[2,64]"},
    {"bias=n bdt=f32", "bias.dtype", "f32"},
    {"bias=n ldb=2", "bias.contiguous", "2"},
    {"m=2 bias=mxn ldb=72", "bias.contiguous", "72"},
    {"m=2 ldy=72", "out.contiguous", "72"},
    {"cus=0", "cus.positive", "0"},
    {"cus=-1", "cus.positive", "-1"},
    {"cus=2147483648", "cus.positive", "2147483648"},
    {"lds=65535", "lds.device", "65535"},
    {"n=2147483648", "index.width", "2147483648"},
    {"n=64 spad=33554432", "index.width", "2147483776"},
    {"aoff=8", "align.act", "0x10008"},
    {"woff=2", "align.weight", "0x20002"},
    {"soff=1", "align.scale", "0x30001"},
    {"zp=packed zoff=2", "align.zp", "0x40002"},
    {"zp=unpacked zoff=1", "align.zp", "0x40001"},
    {"bias=n boff=1", "align.bias", "0x50001"},
    {"yoff=1", "align.out", "0x60001"},
    {"tile=y3u1a16w16", "tile.legal", "y3u1a16w16"},
    {"m=2 tile=y2u4a16w16", "tile.legal", "y2u4a16w16"},
    {"tile=y2u4a32w16", "tile.legal", "y2u4a32w16"},
};

TEST(DecodeChecks, EachBreakIsRefusedByItsClauseWithTheValueAndNothingIsLaunched) {
  const w4_kernel kernel = decode_kernel();
  for (const RefusalLine& l : kLines) {
    const Problem p = problem(l.line);
    const CallOf call(p);
    expect_refused(kernel, call.call(), p, l);
  }
}

// The harness expects the refusal that the problem's own clauses give.
TEST(DecodeChecks, TheFirstBrokenClauseIsTheOneOfTheProblem) {
  constexpr const char* kShapes[] = {"",
                                     "m=5",
                                     "m=2 n=60",
                                     "m=3 n=8 k=4096 g=32",
                                     "m=0 n=0 k=0",
                                     "k=24 g=24",
                                     "m=5 k=8192 g=64",
                                     "m=2 n=1 bias=mx1",
                                     "m=2 bias=1x1",
                                     "bias=1xn"};
  constexpr const char* kOthers[] = {"",
                                     "zp=packed",
                                     "zp=unpacked",
                                     "act=bf16",
                                     "act=f32",
                                     "wpad=128",
                                     "wpad=1",
                                     "spad=64",
                                     "spad=-9",
                                     "sdt=f32",
                                     "bdt=bf16",
                                     "lda=8",
                                     "ldy=8",
                                     "ldb=3",
                                     "cus=0",
                                     "cus=7",
                                     "lds=1",
                                     "lds=163840",
                                     "aoff=16",
                                     "aoff=2",
                                     "woff=4",
                                     "zp=packed zoff=2",
                                     "tile=y2u2a16w16",
                                     "tile=y4u1a16w16",
                                     "tile=y1u4a16w16"};
  expect_first_broken(decode_kernel(), kShapes, kOthers);
}

TEST(DecodeChecks, DescriptorsThatNoProblemMakesAreRefused) {
  const auto clause = [](auto&& change) -> std::string {
    Problem p;
    p.m = 2;
    p.zp = ZpMode::packed;
    p.bias = {1, {Extent{Extent::Of::n, 0}, {}}};
    CallOf call(p);
    change(call);
    const Recorder recorder;
    const auto why = check_decode(call.call(), recorder.device);
    return why ? why->clause : "accepted";
  };
  EXPECT_EQ(clause([](CallOf&) {}), "accepted");
  EXPECT_EQ(clause([](CallOf& c) { c.change().expert_ids = &c.bias; }), "experts.none");
  EXPECT_EQ(clause([](CallOf& c) { c.change().sorted_ids = &c.bias; }), "experts.none");
  EXPECT_EQ(clause([](CallOf& c) { c.wei.layout = W4_WEI_SEQUENTIAL; }), "weight.stride");
  EXPECT_EQ(clause([](CallOf& c) { c.wei.dtype = W4_I32; }), "weight.stride");
  EXPECT_EQ(clause([](CallOf& c) { c.wei.dim[1]--; }), "weight.stride");
  EXPECT_EQ(clause([](CallOf& c) { c.act.rank = 1; }), "act.rank");
  EXPECT_EQ(clause([](CallOf& c) { c.scale.dim[0]++; }), "scale.stride");
  EXPECT_EQ(clause([](CallOf& c) { c.scale.stride[1] = 2; }), "scale.stride");
  EXPECT_EQ(clause([](CallOf& c) { c.zp.stride[0]++; }), "scale.stride");
  EXPECT_EQ(clause([](CallOf& c) { c.zp.layout = W4_ZP_AWQ; }), "zp.dtype");
  EXPECT_EQ(clause([](CallOf& c) { c.zp.dim[0] = 64; }), "zp.dtype");
  EXPECT_EQ(clause([](CallOf& c) { c.zp.dtype = static_cast<w4_dtype>(15); }), "zp.dtype");
  EXPECT_EQ(clause([](CallOf& c) { c.act.stride[1] = 2; }), "act.contiguous");
  EXPECT_EQ(clause([](CallOf& c) { c.bias.rank = 0; }), "bias.shape");
  EXPECT_EQ(clause([](CallOf& c) { c.out.dtype = W4_F32; }), "out.contiguous");
  EXPECT_EQ(clause([](CallOf& c) { c.out.dim[0] = 1; }), "out.contiguous");
}

TEST(DecodeChecks, MissingTensorsAreRefused) {
  const CallOf good(Problem{});
  const Recorder recorder;
  for (const auto member : {&w4_call::act, &w4_call::wei, &w4_call::scale, &w4_call::out}) {
    w4_call call = good.call();
    call.*member = nullptr;
    const auto why = check_decode(call, recorder.device);
    ASSERT_TRUE(why);
    EXPECT_THAT(why->message, HasSubstr("missing"));
  }
}

TEST(DecodeRun, AnArchWithoutCodeIsRefusedByName) {
  const CallOf call(Problem{});
  Recorder recorder("gfx90a");
  const w4_kernel kernel = decode_kernel();
  EXPECT_NE(kernel.run(&kernel, &call.call(), &recorder.device), 0);
  EXPECT_EQ(recorder.clause, "arch");
  EXPECT_THAT(recorder.message, HasSubstr("gfx1151"));
  EXPECT_EQ(recorder.launches, 0);
}

TEST(DecodeRun, SaysWhatRanAndPassesALaunchFailureOn) {
  const Problem p = problem("m=3 n=4096 k=10240 g=64 zp=packed cus=20");
  const CallOf call(p);
  Recorder recorder;
  recorder.launch_result = 7;
  const w4_kernel kernel = decode_kernel();
  EXPECT_EQ(kernel.run(&kernel, &call.call(), &recorder.device), 7);
  // contract.md 6.9 has no such row; 6.8: K*M <= 32768, sYT = ceil(4096/80) = 52 >= 40.
  EXPECT_EQ(recorder.ran, "small m3 y4u1a16w16 w13 g64 f16 packed");
  EXPECT_EQ(recorder.symbol, "w4_decode_small_m3_y4_u1_g64_f16_packed");
  EXPECT_EQ(recorder.last.grid[0], 20u);
  EXPECT_EQ(recorder.last.block[0], 32u);
  EXPECT_EQ(recorder.last.block[1], 16u);
  EXPECT_EQ(recorder.launches, 1);
}

}  // namespace
}  // namespace w4
