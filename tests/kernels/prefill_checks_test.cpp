// The refusals of the prefill ops, each by its clause and before anything is launched, and their
// agreement with the clauses of core/contract.h.
#include "kernels/prefill_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/case.h"
#include "core/contract.h"
#include "kernels/prefill.h"
#include "kernels/prefill_args.h"
#include "kernels/prepare.h"
#include "tests/kernels/call_of.h"
#include "tests/kernels/refusals.h"

namespace w4 {
namespace {

using testing::HasSubstr;

Problem problem(std::string_view line) { return problem_of("prefill", line); }

// A call as each of the three kernels wants it.
struct Wanted {
  w4_kernel kernel;
  PrefillWeights weights;
};
const Wanted kKernels[] = {{prefill_kernel(), PrefillWeights::packed},
                           {prefill_dense_kernel(), PrefillWeights::dense},
                           {prefill_carrier_kernel(), PrefillWeights::carrier}};

class PrefillCall : public CallOf {
 public:
  PrefillCall(const Problem& p, PrefillWeights weights) : CallOf(p) {
    if (weights == PrefillWeights::dense) {
      wei.dtype = act.dtype;
      wei.layout = W4_DENSE;
      wei.dim[1] = p.k;
      wei.stride[0] = dense_stride(p);
    }
    if (weights == PrefillWeights::carrier) {
      carrier = scale;
      carrier.dtype = W4_F32;
      carrier.layout = W4_SCALE_CARRIER;
      carrier.stride[0] = groups(p) + p.cpad.value_or(0);
      carrier.device = 0x70000 + static_cast<uint64_t>(p.coff);
      change().carrier = &carrier;
    }
  }
  w4_tensor carrier{};
};

TEST(PrefillChecks, DeclareOnlyClausesThatExistEachOnce) {
  for (const Wanted& w : kKernels) expect_known_clauses_once(w.kernel);
}

// Broken for all three; the base has packed zero points, which the carrier asks for.
constexpr RefusalLine kCommon[] = {
    {"topk=2", "experts.none", "2"},
    {"wpad=2", "weight.stride", ""},
    {"wpad=-4", "weight.stride", ""},
    {"wpad=2147483648", "weight.stride", ""},
    {"act=f32 sdt=f32", "act.dtype", "f32"},
    {"sdt=bf16", "scale.dtype", "bf16"},
    {"g=48 k=240", "group.size", "48"},
    {"g=256 k=512", "group.size", "256"},
    {"k=144 g=64", "k.group", "144"},
    {"spad=-1", "scale.stride", "1"},
    {"zp=packed zdt=f16", "zp.dtype", "f16"},
    {"zp=packed n=60", "zp.octet", "60"},
    {"lda=252", "act.stride", "252"},
    {"lda=248", "act.stride", "248"},
    {"lda=2147483648", "act.stride", "2147483648"},
    {"m=0", "m.positive", "0"},
    {"n=0", "n.positive", "0"},
    {"k=0", "k.positive", "0"},
    {"bias=32", "bias.shape", "[32]"},
    {"m=3 bias=2xn", "bias.shape", "[2,64]"},
    {"bias=n bdt=f32", "bias.dtype", "f32"},
    {"bias=n ldb=2", "bias.contiguous", "2"},
    {"m=2 bias=mxn ldb=72", "bias.contiguous", "72"},
    {"m=2 ldy=72", "out.contiguous", "72"},
    {"lds=52223", "lds.prefill", "52223"},
    {"m=2147483648", "index.wide", "2147483648"},
    {"n=2147483648", "index.wide", "2147483648"},
    {"m=2147483647 n=16", "index.wide", "134217728"},
    {"aoff=8", "align.act", "0x10008"},
    {"woff=2", "align.weight", "0x20002"},
    {"soff=1", "align.scale", "0x30001"},
    {"zp=packed zoff=2", "align.zp", "0x40002"},
    {"bias=n boff=1", "align.bias", "0x50001"},
    {"yoff=1", "align.out", "0x60001"},
    {"tile=bm64bn64bk64w4 g=32", "tile.prefill", "bm64bn64bk64w4"},
    {"tile=bm64bn64bk32w8", "tile.prefill", "bm64bn64bk32w8"},
    {"tile=bm256bn64bk32w8", "tile.prefill", "bm256bn64bk32w8"},
    {"tile=y2u4a16w16", "tile.prefill", "y2u4a16w16"},
};
constexpr RefusalLine kPackedOnly[] = {{"zp=unpacked zdt=i32", "zp.dtype", "i32"},
                                       {"zp=unpacked zdt=bf16", "zp.dtype", "bf16"},
                                       {"zp=unpacked zoff=1", "align.zp", "0x40001"}};
constexpr RefusalLine kNotPacked[] = {{"tile=bm64bn64bk64w4 g=128", "tile.depth", "bk64"}};
constexpr RefusalLine kCarrierOnly[] = {{"zp=none", "zp.packed", "absent"},
                                        {"zp=unpacked", "zp.packed", "unpacked"},
                                        {"cpad=-1", "carrier.stride", "1"},
                                        {"cpad=2147483648", "carrier.stride", "2147483650"},
                                        {"coff=2", "align.carrier", "0x70002"}};

void expect_refused(const Wanted& w, const RefusalLine& l) {
  const std::string line =
      std::string(std::strstr(l.line, "zp=") != nullptr ? "" : "zp=packed ") + l.line;
  const Problem p = problem(line);
  const PrefillCall call(p, w.weights);
  w4::expect_refused(w.kernel, call.call(), p, l);
  // The problem's own clauses say so too.
  const auto broken = broken_clauses(declared_by(w.kernel), p, reported_by_gfx1151(p));
  EXPECT_THAT(broken, testing::Contains(l.clause)) << w.kernel.name << " " << line;
}

TEST(PrefillChecks, EachBreakIsRefusedByItsClauseAndNothingIsLaunched) {
  for (const Wanted& w : kKernels) {
    for (const RefusalLine& l : kCommon) expect_refused(w, l);
  }
  for (const RefusalLine& l : kPackedOnly) expect_refused(kKernels[0], l);
  for (const RefusalLine& l : kNotPacked)
    expect_refused(kKernels[1], l), expect_refused(kKernels[2], l);
  for (const RefusalLine& l : kCarrierOnly) expect_refused(kKernels[2], l);
}

TEST(PrefillChecks, EveryDeclaredClauseHasALineThatBreaksIt) {
  std::vector<std::string> broken(kPreparationClauses.begin(), kPreparationClauses.end());
  broken.emplace_back("act.rank");  // WrongDescriptorsAreRefused
  for (const auto lines :
       {std::span<const RefusalLine>(kCommon), std::span<const RefusalLine>(kNotPacked),
        std::span<const RefusalLine>(kCarrierOnly)}) {
    for (const RefusalLine& l : lines) broken.emplace_back(l.clause);
  }
  for (const Wanted& w : kKernels) {
    for (const std::string& name : declared_by(w.kernel)) {
      // K % 16 != 0 implies K % G != 0.
      if (name != "k.step") EXPECT_THAT(broken, testing::Contains(name));
    }
  }
}

TEST(PrefillChecks, WrongDescriptorsAreRefused) {
  const Wanted& packed = kKernels[0];
  const Wanted& dense = kKernels[1];
  const Wanted& carrier = kKernels[2];
  const auto clause = [](const Wanted& w, auto change) {
    PrefillCall call(problem("zp=packed m=3"), w.weights);
    change(call);
    Recorder recorder;
    EXPECT_NE(w.kernel.run(&w.kernel, &call.call(), &recorder.device), 0);
    EXPECT_EQ(recorder.launches, 0);
    return recorder.clause;
  };
  EXPECT_EQ(clause(packed, [](PrefillCall& c) { c.wei.layout = W4_DENSE; }), "weight.stride");
  EXPECT_EQ(clause(packed, [](PrefillCall& c) { c.change().wei = nullptr; }), "weight.stride");
  EXPECT_EQ(clause(packed, [](PrefillCall& c) { c.act.rank = 3; }), "act.rank");
  EXPECT_EQ(clause(packed, [](PrefillCall& c) { c.act.stride[1] = 2; }), "act.stride");
  EXPECT_EQ(clause(packed, [](PrefillCall& c) { c.zp.layout = W4_ZP_AWQ; }), "zp.dtype");
  EXPECT_EQ(clause(packed, [](PrefillCall& c) { c.zp.stride[0] = 9; }), "scale.stride");
  EXPECT_EQ(clause(packed, [](PrefillCall& c) { c.out.dtype = W4_F32; }), "out.contiguous");
  EXPECT_EQ(clause(dense, [](PrefillCall& c) { c.wei.layout = W4_WEI_SHUFFLED; }), "weight.stride");
  EXPECT_EQ(clause(dense, [](PrefillCall& c) { c.wei.dtype = W4_BF16; }), "weight.stride");
  EXPECT_EQ(clause(dense, [](PrefillCall& c) { c.wei.stride[0] = 255; }), "weight.stride");
  EXPECT_EQ(clause(carrier, [](PrefillCall& c) { c.change().carrier = nullptr; }),
            "carrier.stride");
  EXPECT_EQ(clause(carrier, [](PrefillCall& c) { c.carrier.dtype = W4_F16; }), "carrier.stride");
  EXPECT_EQ(clause(carrier, [](PrefillCall& c) { c.carrier.dim[1] = 3; }), "carrier.stride");
}

TEST(PrefillChecks, AnArchWithoutCodeIsRefusedByName) {
  const PrefillCall call(problem("m=6"), PrefillWeights::packed);
  Recorder recorder("gfx906");
  EXPECT_NE(kKernels[0].kernel.run(&kKernels[0].kernel, &call.call(), &recorder.device), 0);
  EXPECT_EQ(recorder.clause, "arch");
  EXPECT_EQ(recorder.launches, 0);
}

// What the launch says: grid, block, symbol, and every argument.
TEST(PrefillLaunch, HandsOverWhatTheCallSays) {
  const Problem p = problem(
      "m=70 n=72 k=256 g=64 zp=packed bias=mxn lda=264 wpad=12 spad=5 act=bf16 cpad=2 "
      "tile=bm64bn32bk32w4");
  for (const Wanted& w : kKernels) {
    const PrefillCall call(p, w.weights);
    Recorder recorder("gfx1151", reported_by_gfx1151(p));
    ASSERT_EQ(w.kernel.run(&w.kernel, &call.call(), &recorder.device), 0) << recorder.message;
    EXPECT_EQ(recorder.launches, 1);
    EXPECT_EQ(recorder.last.grid[0], 2u * 3);
    EXPECT_EQ(recorder.last.grid[1], 1u);
    EXPECT_EQ(recorder.last.block[0], 32u);
    EXPECT_EQ(recorder.last.block[1], 4u);
    const bool dense = w.weights == PrefillWeights::dense;
    const bool carrier = w.weights == PrefillWeights::carrier;
    const std::string form = dense ? "dense" : carrier ? "carrier" : "packed";
    EXPECT_EQ(recorder.symbol, "w4_prefill_bm64bn32bk32_bf16_" + form);
    EXPECT_EQ(recorder.ran, "bm64bn32bk32w4 m70 g64 bf16 " + form);
    ASSERT_EQ(recorder.args.size(), sizeof(PrefillArgs));
    PrefillArgs a{};
    std::memcpy(&a, recorder.args.data(), recorder.args.size());
    EXPECT_EQ(a.act, 0x10000u);
    EXPECT_EQ(a.wei, 0x20000u);
    EXPECT_EQ(a.scale, 0x30000u);
    EXPECT_EQ(a.zp, carrier ? 0x70000u : 0x40000u);
    EXPECT_EQ(a.bias, 0x50000u);
    EXPECT_EQ(a.out, 0x60000u);
    EXPECT_EQ(a.act_stride, 264);
    EXPECT_EQ(a.wei_stride, dense ? 262 : 140);
    EXPECT_EQ(a.scale_stride, 9);
    EXPECT_EQ(a.zp_stride, carrier ? 6 : 9);
    EXPECT_EQ(a.bias_n_stride, 1u);
    EXPECT_EQ(a.bias_m_stride, 72u);
    EXPECT_EQ(a.out_stride, 72u);
    EXPECT_EQ(a.m, 70u);
    EXPECT_EQ(a.n, 72u);
    EXPECT_EQ(a.k, 256u);
    EXPECT_EQ(a.group_shift, 6u);
    EXPECT_EQ(a.tiles_m, 2u);
    EXPECT_EQ(a.tiles_factor, Quotient(2).factor);
    EXPECT_EQ(a.tiles_shift, Quotient(2).shift);
  }
}

// The largest dividends and those round each multiple, for divisors round every power of two.
TEST(PrefillLaunch, QuotientsAreExactBelowTwoToThe27th) {
  constexpr uint32_t kEnd = 1u << 27;
  for (uint32_t power = 1; power < kEnd; power *= 2) {
    for (const uint32_t d : {power - 1, power, power + 1, power / 3 * 4 + 1}) {
      if (d == 0 || d >= kEnd) continue;
      const Quotient q(d);
      for (uint64_t i = 0; i < 2000; i++) {
        // Multiples of d spread over the range, and the last ones.
        const uint64_t most = (kEnd - 1) / d;
        const uint64_t multiple = i < 1000 ? most - std::min(i, most) : most * (i - 1000) / 1000;
        for (const uint64_t x : {multiple * d, multiple * d + d - 1}) {
          if (x < kEnd) ASSERT_EQ(q.of(static_cast<uint32_t>(x)), x / d) << x << " by " << d;
        }
      }
      ASSERT_EQ(q.of(kEnd - 1), (kEnd - 1) / d) << d;
    }
  }
}

TEST(PrefillLaunch, BiasStridesFollowItsShape) {
  struct Shape {
    const char* bias;
    uint32_t n, m;
  };
  for (const Shape& s :
       {Shape{"n", 1, 0}, {"1xn", 1, 0}, {"mxn", 1, 64}, {"1x1", 0, 0}, {"mx1", 0, 1}}) {
    const PrefillCall call(problem(std::string("m=3 bias=") + s.bias), PrefillWeights::packed);
    Recorder recorder;
    ASSERT_EQ(kKernels[0].kernel.run(&kKernels[0].kernel, &call.call(), &recorder.device), 0);
    PrefillArgs a{};
    std::memcpy(&a, recorder.args.data(), recorder.args.size());
    EXPECT_EQ(a.bias_n_stride, s.n) << s.bias;
    EXPECT_EQ(a.bias_m_stride, s.m) << s.bias;
  }
}

}  // namespace
}  // namespace w4
