// The host checks of `chunked`: each refusal, and agreement with the clauses of core/contract.h.
#include "kernels/chunked_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/case.h"
#include "core/contract.h"
#include "kernels/chunked.h"
#include "kernels/chunked_args.h"
#include "tests/kernels/call_of.h"
#include "tests/kernels/refusals.h"

namespace w4 {
namespace {

using testing::HasSubstr;

Problem problem(std::string_view line) { return problem_of("chunked", line); }

TEST(ChunkedChecks, DeclaresOnlyClausesThatExistEachOnce) {
  expect_known_clauses_once(chunked_kernel());
  const auto names = declared_by(chunked_kernel());
  for (const char* not_here : {"lds.limit", "act.contiguous", "tile.legal"}) {
    EXPECT_EQ(std::ranges::count(names, not_here), 0) << not_here;
  }
}

// Each breaks one clause of the descriptors, in the problem's terms.
constexpr RefusalLine kLines[] = {
    {"topk=2", "experts.none", "2"},
    {"silu=1", "experts.none", "1"},
    {"wpad=2", "weight.stride", "130"},
    {"act=f32 sdt=f32", "act.dtype", "f32"},
    {"sdt=bf16", "scale.dtype", "bf16"},
    {"g=48 k=240", "group.size", "48"},
    {"g=0", "group.size", "0"},
    {"k=96 g=64", "k.group", "96"},
    {"spad=-1", "scale.stride", "1"},
    {"zp=unpacked", "zp.encoding", "unpacked"},
    {"zp=packed zdt=f16", "zp.dtype", "f16"},
    {"zp=packed n=60", "zp.octet", "60"},
    {"m=2 lda=260", "act.stride", "260"},
    {"m=1 lda=248", "act.stride", "248"},
    {"m=5 lda=2147483648", "act.stride", "2147483648"},
    {"m=0", "m.range", "0"},
    {"m=6", "m.range", "6"},
    {"n=0", "n.positive", "0"},
    {"k=0", "k.positive", "0"},
    {"bias=32", "bias.shape", "[32]"},
    {"bias=n bdt=f32", "bias.dtype", "f32"},
    {"bias=n ldb=2", "bias.contiguous", "2"},
    {"m=2 ldy=72", "out.contiguous", "72"},
    {"cus=0", "cus.positive", "0"},
    {"cus=2147483648", "cus.positive", "2147483648"},
    {"lds=65535", "lds.device", "65535"},
    {"n=2147483648", "index.width", "2147483648"},
    {"aoff=8", "align.act", "0x10008"},
    {"woff=2", "align.weight", "0x20002"},
    {"soff=1", "align.scale", "0x30001"},
    {"zp=packed zoff=2", "align.zp", "0x40002"},
    {"bias=n boff=1", "align.bias", "0x50001"},
    {"yoff=1", "align.out", "0x60001"},
    {"tile=y3u1a16w16", "tile.chunked", "y3u1a16w16"},
    {"m=2 tile=y2u4a16w16", "tile.chunked", "y2u4a16w16"},
    {"zp=packed tile=y2u8a32w16", "tile.chunked", "y2u8a32w16"},
    {"m=5 k=6656 tile=y2u4a16w16", "tile.chunked", "y2u4a16w16"},
    {"tile=bm64bn64bk32w4", "tile.chunked", "bm64bn64bk32w4"},
};

TEST(ChunkedChecks, EachBreakIsRefusedByItsClauseWithTheValueAndNothingIsLaunched) {
  const w4_kernel kernel = chunked_kernel();
  for (const RefusalLine& l : kLines) {
    const Problem p = problem(l.line);
    const CallOf call(p);
    expect_refused(kernel, call.call(), p, l);
    // And the problem's own predicate says so too, with a value and what is legal.
    const auto broken = broken_clauses(declared_by(kernel), p, reported_by_gfx1151(p));
    EXPECT_THAT(broken, testing::ElementsAre(l.clause)) << l.line;
  }
}

// The harness expects the refusal that the problem's own clauses give.
TEST(ChunkedChecks, TheFirstBrokenClauseIsTheOneOfTheProblem) {
  constexpr const char* kShapes[] = {"",
                                     "m=5",
                                     "m=2 n=60",
                                     "m=3 n=8 k=4096 g=32",
                                     "m=0 n=0 k=0",
                                     "k=24 g=24",
                                     "m=5 k=8192 g=64",
                                     "m=2 n=1 bias=mx1",
                                     "m=1 k=65536",
                                     "k=100 g=64",
                                     "bias=1xn"};
  constexpr const char* kOthers[] = {"",
                                     "zp=packed",
                                     "zp=unpacked",
                                     "zp=unpacked zdt=i32",
                                     "act=bf16",
                                     "act=f32",
                                     "wpad=128",
                                     "wpad=1",
                                     "spad=64",
                                     "spad=-9",
                                     "sdt=f32",
                                     "bdt=bf16",
                                     "lda=8",
                                     "lda=65544",
                                     "lda=65540",
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
                                     "tile=y2u8a32w16",
                                     "tile=y1u4a16w16"};
  expect_first_broken(chunked_kernel(), kShapes, kOthers);
}

TEST(ChunkedChecks, DescriptorsThatNoProblemMakesAreRefused) {
  const auto clause = [](auto&& change) -> std::string {
    Problem p;
    p.m = 2;
    p.zp = ZpMode::packed;
    CallOf call(p);
    change(call);
    const Recorder recorder;
    const auto why = check_chunked(call.call(), recorder.device);
    return why ? why->clause : "accepted";
  };
  EXPECT_EQ(clause([](CallOf&) {}), "accepted");
  EXPECT_EQ(clause([](CallOf& c) { c.zp.layout = W4_ZP_AWQ; }), "zp.encoding");
  EXPECT_EQ(clause([](CallOf& c) { c.act.stride[1] = 2; }), "act.stride");
  EXPECT_EQ(clause([](CallOf& c) { c.act.rank = 3; }), "act.rank");
}

TEST(ChunkedRun, SaysWhatRanAndPassesEveryArgumentAndALaunchFailureOn) {
  const Problem p =
      problem("m=3 n=4096 k=11008 g=64 zp=packed cus=20 lda=11072 wpad=64 spad=2 bias=mxn");
  const CallOf call(p);
  Recorder recorder;
  recorder.launch_result = 7;
  const w4_kernel kernel = chunked_kernel();
  EXPECT_EQ(kernel.run(&kernel, &call.call(), &recorder.device), 7);
  // sYT = ceil(4096/80) = 52; 4 passes of 13 waves: not all 16, so (2,2), which needs 7 of 15.
  EXPECT_EQ(recorder.ran, "chunked m3 y2u2a16w16 w15 g64 f16 packed");
  EXPECT_EQ(recorder.symbol, "w4_chunked_chunked_m3_y2_u2_a16_g64_f16_packed");
  EXPECT_EQ(recorder.last.grid[0], 20u);
  EXPECT_EQ(recorder.last.block[1], 16u);
  ASSERT_EQ(recorder.args.size(), offsetof(ChunkedArgs, unused));
  ChunkedArgs args{};
  std::memcpy(&args, recorder.args.data(), recorder.args.size());
  EXPECT_EQ(args.act_stride, 11072);
  EXPECT_EQ(args.wei_stride, 5504 + 64);
  EXPECT_EQ(args.scale_stride, 172 + 2);
  EXPECT_EQ(args.out_stride, 4096);
  EXPECT_EQ(args.bias_m_stride, 4096);
  EXPECT_EQ(args.n, 4096u);
  EXPECT_EQ(args.k, 11008u);
  EXPECT_EQ(args.waves, 15u);
  EXPECT_EQ(args.step, 20u * 15 * 2);
  EXPECT_EQ(args.chunk, 6144u);  // kFit = 10922 -> 10240, two pieces of 5504
}

TEST(ChunkedRun, AnArchWithoutCodeIsRefusedByName) {
  const CallOf call(Problem{});
  Recorder recorder("gfx90a");
  const w4_kernel kernel = chunked_kernel();
  EXPECT_NE(kernel.run(&kernel, &call.call(), &recorder.device), 0);
  EXPECT_EQ(recorder.clause, "arch");
  EXPECT_EQ(recorder.launches, 0);
}

}  // namespace
}  // namespace w4
