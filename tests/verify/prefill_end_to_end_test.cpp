// The prefill kernels' own code on the emulated archs and on the host: no alarm anywhere in the
// small shapes, every instantiation once, and what must not change the bits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/contract.h"
#include "core/dtypes.h"
#include "kernels/numerics.h"
#include "kernels/prefill_tile.h"
#include "reference/interval.h"
#include "reference/twin.h"
#include "verify/materialise.h"
#include "verify/module_numerics.h"
#include "verify/prepared_call.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

constexpr const char* kDevices[] = {"gfx1100", "gfx1151", "gfx1201", "host"};
constexpr const char* kKernels[] = {"prefill", "prefill_dense", "prefill_carrier"};

class Prefill : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  std::string where() const {
    return fmt::format(" device={} fp={}", std::get<0>(GetParam()), std::get<1>(GetParam()));
  }
  void expect_green(const std::string& line) {
    const auto c = parse_case(line + where());
    ASSERT_TRUE(c.has_value()) << line << ": " << c.error().text;
    const Verdict v = run_case(*c, context_);
    EXPECT_TRUE(v.green()) << to_string(v);
  }
  // [M,N] bits; the case must be legal.
  std::vector<uint16_t> bits(const std::string& line) {
    const auto c = parse_case(line);
    EXPECT_TRUE(c.has_value()) << line;
    if (!c) return {};
    auto call = PreparedCall::make(*c, context_);
    EXPECT_TRUE(call) << line << ": " << (call ? "" : call.error().text);
    if (!call) return {};
    const auto ran = call->run();
    EXPECT_TRUE(ran) << line << ": " << (ran ? "" : ran.error().text);
    return call->output();
  }
  Context context_;
};

// What a kernel is called with: the carrier wants packed zero points.
std::string zp_of(std::string_view kernel, std::string_view zp) {
  return std::string(kernel == "prefill_carrier" ? "packed" : zp);
}

TEST_P(Prefill, EachConfigurationOnce) {
  for (const char* act : {"f16", "bf16"}) {
    for (const char* zp : {"none", "packed", "unpacked"}) {
      for (const int g : {32, 64, 128}) {
        for (const char* bias : {"none", "n", "1xn", "mxn", "1x1", "mx1"}) {
          expect_green(fmt::format("prefill m=6 n=40 k=384 g={} act={} zp={} bias={} seed={}", g,
                                   act, zp, bias, g));
        }
      }
    }
  }
}

TEST_P(Prefill, DenseAndCarrierForms) {
  for (const char* kernel : {"prefill_dense", "prefill_carrier"}) {
    for (const char* act : {"f16", "bf16"}) {
      for (const char* zp : {"none", "packed", "unpacked"}) {
        for (const int g : {32, 128}) {
          expect_green(
              fmt::format("{} m=18 n=24 k=256 g={} act={} zp={} bias=mxn lda=264 wpad=12 "
                          "spad=3 cpad=5 coff=4",
                          kernel, g, act, zp_of(kernel, zp)));
        }
      }
    }
  }
}

TEST_P(Prefill, RaggedEdges) {
  for (const int m : {1, 17, 64, 65, 129}) {
    for (const int n : {1, 8, 17, 100, 130}) {
      for (const char* act : {"f16", "bf16"}) {
        expect_green(fmt::format("prefill m={} n={} k=128 g=64 act={} zp=unpacked bias=n seed={}",
                                 m, n, act, m * n));
      }
    }
  }
}

TEST_P(Prefill, EveryFill) {
  for (const char* kernel : kKernels) {
    for (const Fill fill : all_fills()) {
      for (const char* act : {"f16", "bf16"}) {
        expect_green(fmt::format("{} m=19 n=64 k=512 g=64 zp=packed bias=n act={} fill={}", kernel,
                                 act, name_of(fill)));
      }
    }
  }
}

TEST_P(Prefill, SourcesStridesOffsetsAndSchedules) {
  for (const char* src : {"ct", "awq", "gptq1", "gptq2"}) {
    for (const char* zp : {"none", "packed"}) {
      expect_green(fmt::format("prefill m=20 n=16 k=256 g=32 src={} zp={} wpad=12 spad=3 sched=rev",
                               src, zp));
    }
  }
  expect_green(
      "prefill m=40 n=24 k=512 g=64 zp=packed bias=1xn lda=520 aoff=48 woff=4 soff=2 zoff=12 "
      "boff=6 "
      "yoff=10 sched=random:9");
  expect_green("prefill m=6 n=8 k=128 g=64 zp=packed lda=1048576 wpad=1048576 spad=262144");
}

// Too large for a case, or right; prefill_offsets_test.cpp runs such strides in sparse buffers.
TEST_P(Prefill, SizesAtTheInt32LimitsAreRightOrTooLarge) {
  const auto green_or_too_large = [&](const std::string& line) {
    const auto c = parse_case(line + where());
    ASSERT_TRUE(c.has_value()) << line << ": " << c.error().text;
    const Verdict v = run_case(*c, context_);
    const auto* skipped = std::get_if<Skipped>(&v.primary());
    EXPECT_TRUE(v.green() || (skipped && skipped->reason == SkipReason::too_large)) << to_string(v);
  };
  expect_green("prefill m=3 n=8 k=128 g=64 lda=2147483640");
  green_or_too_large("prefill m=2 n=3 k=128 g=64 wpad=2147483580");
  green_or_too_large("prefill m=2 n=3 k=128 g=64 spad=2147483640");
  green_or_too_large("prefill m=2147483647 n=8 k=128 g=64");
  green_or_too_large("prefill m=65536 n=65536 k=128 g=64");
  green_or_too_large("prefill m=16 n=8 k=128 g=64 lda=2147483640");
}

// Sums run over K in one order whatever the tile, the wave that makes them, or the schedule.
TEST_P(Prefill, TheTileChangesNoBits) {
  for (const char* act : {"f16", "bf16"}) {
    const std::string base =
        fmt::format("prefill m=70 n=72 k=256 g=128 act={} zp=packed bias=mxn", act) + where();
    const std::vector<uint16_t> first = bits(base);
    for (const Tile& t : prefill_tiles(PrefillWeights::packed)) {
      EXPECT_EQ(bits(base + " tile=" + to_string(t)), first) << to_string(t);
    }
  }
}

TEST_P(Prefill, CuCountScheduleAndOffsetsChangeNoBits) {
  const std::string base = "prefill m=40 n=72 k=256 g=64 zp=packed bias=n" + where();
  const std::vector<uint16_t> first = bits(base);
  for (const char* change : {"cus=1", "cus=0", "cus=10000", "sched=rev", "sched=random:3",
                             "lda=272", "wpad=8 spad=2", "yoff=6"}) {
    EXPECT_EQ(bits(base + " " + change), first) << change;
  }
}

TEST_P(Prefill, TheDenseCopyGivesTheBitsOfThePackedWeights) {
  for (const char* act : {"f16", "bf16"}) {
    for (const char* zp : {"none", "packed", "unpacked"}) {
      const std::string call =
          fmt::format(" m=33 n=40 k=256 g=64 act={} zp={} bias=n tile=bm32bn32bk32w4", act, zp) +
          where();
      EXPECT_EQ(bits("prefill" + call), bits("prefill_dense" + call)) << call;
    }
  }
}

TEST_P(Prefill, EightImpliedIsEightStoredAndPackedIsUnpacked) {
  for (const char* act : {"f16", "bf16"}) {
    const auto with = [&](const char* zp) {
      return bits(fmt::format("prefill m=9 n=40 k=256 g=64 act={} zp={}", act, zp) + where());
    };
    EXPECT_EQ(with("packed"), with("unpacked")) << act;
  }
}

INSTANTIATE_TEST_SUITE_P(
    , Prefill, testing::Combine(testing::ValuesIn(kDevices), testing::Values("ieee", "auto")),
    [](const auto& p) {
      return fmt::format("{}_fp_{}", std::get<0>(p.param), std::get<1>(p.param));
    });

// Every instantiation through the judge: values, bounds, races, unwritten elements.
class PrefillTiles : public testing::TestWithParam<const char*> {};

TEST_P(PrefillTiles, EachOnce) {
  Context context;
  for (const char* kernel : kKernels) {
    const PrefillWeights weights = kernel == kKernels[0]   ? PrefillWeights::packed
                                   : kernel == kKernels[1] ? PrefillWeights::dense
                                                           : PrefillWeights::carrier;
    for (const Tile& t : prefill_tiles(weights)) {
      for (const char* act : {"f16", "bf16"}) {
        for (const char* zp : {"none", "packed", "unpacked"}) {
          if (weights != PrefillWeights::packed && zp != std::string_view("packed")) continue;
          // A whole tile, a ragged one and a second one in both directions.
          const std::string line =
              fmt::format("{} m={} n={} k=256 g=128 act={} zp={} bias=n tile={} device={}", kernel,
                          t.bm + 5, t.bn + 8, act, zp, to_string(t), GetParam());
          const auto c = parse_case(line);
          ASSERT_TRUE(c.has_value()) << line;
          const Verdict v = run_case(*c, context);
          EXPECT_TRUE(v.green()) << to_string(v);
          EXPECT_NE(v.ran.instantiation.find(to_string(t)), std::string::npos) << line;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, PrefillTiles, testing::ValuesIn(kDevices));

std::vector<uint16_t> output_of(const std::string& line, Context& context) {
  const auto c = parse_case(line);
  EXPECT_TRUE(c.has_value()) << line;
  auto call = PreparedCall::make(*c, context);
  EXPECT_TRUE(call) << line << ": " << (call ? "" : call.error().text);
  if (!call || !call->run()) return {};
  return call->output();
}

// contract.md K14: the two routes round differently, and by no more than both declare. Decode ends
// at five rows; the data of a row does not depend on M, so that the first five of a longer call are
// those of decode at M = 5.
class BothRoutes : public testing::TestWithParam<const char*> {};

TEST_P(BothRoutes, DecodeAndPrefillAgreeWithinBothIntervals) {
  Context context;
  for (const char* act : {"f16", "bf16"}) {
    for (int64_t m = 1; m <= 8; ++m) {
      const int64_t rows = std::min(m, kMaxDecodeM);
      const auto line = [&](const char* kernel, int64_t of) {
        return fmt::format("{} m={} n=72 k=1024 g=64 act={} zp=packed fp=ieee seed={} device={}",
                           kernel, of, act, m, GetParam());
      };
      const std::string few = line("decode", rows), many = line("prefill", m);
      const auto arrays = [&](const std::string& of) {
        const Case c = *parse_case(of);
        return make_arrays(c, context.material(c)->weights);
      };
      const Arrays xd = arrays(few), xp = arrays(many);
      ASSERT_EQ(xd.a.size(), static_cast<size_t>(rows) * 1024);
      ASSERT_EQ(xp.a.size(), static_cast<size_t>(m) * 1024);
      ASSERT_TRUE(std::equal(xd.a.begin(), xd.a.end(), xp.a.begin()));
      const DType t = parse_case(few)->problem.act;
      const auto declared = [&](const w4_numerics& n, int64_t of) {
        return ModuleNumerics(n, static_cast<w4_dtype>(t), of, 72, 1024, 64, 20);
      };
      const ModuleNumerics of_decode = declared(kDecodeNumerics, rows);
      const ModuleNumerics of_prefill = declared(kPrefillNumerics, m);
      const Twin d = make_twin(xd, of_decode), p = make_twin(xp, of_prefill);
      const Bound bd = make_bound(xd, d, of_decode.chain(), Arithmetic::ieee, true);
      const Bound bp = make_bound(xp, p, of_prefill.chain(), Arithmetic::ieee, true);
      const auto yd = output_of(few, context), yp = output_of(many, context);
      ASSERT_EQ(yd.size(), static_cast<size_t>(rows) * 72);
      ASSERT_EQ(yd.size(), d.declared.size());
      ASSERT_EQ(yp.size(), p.declared.size());
      int different = 0, telling = 0;
      for (size_t i = 0; i < yd.size(); ++i) {
        const double a = to_f64(t, yd[i]), b = to_f64(t, yp[i]);
        const double apart = std::abs(d.declared[i] - p.declared[i]) + bd.b[i] + bp.b[i];
        // Each store rounds once more.
        const double stores = 2 * unit_roundoff(t) * std::max(std::abs(a), std::abs(b));
        EXPECT_LE(std::abs(a - b), apart + stores) << many << " element " << i;
        different += a != b;
        telling += apart + stores < std::abs(a) / 8;
      }
      EXPECT_GT(different, 0) << many;
      EXPECT_GT(telling, static_cast<int>(yd.size()) / 2) << many;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, BothRoutes, testing::Values("gfx1151", "gfx1201"));

// One fused step a product, k ascending, on every arch; the models of the chips are the same on
// all.
TEST(PrefillArchs, GiveTheSameBitsUnderOneModel) {
  Context context;
  for (const char* fp : {"ieee", "gfx1151", "gfx1201"}) {
    for (const char* act : {"f16", "bf16"}) {
      const auto on = [&](const char* device) {
        return output_of(
            fmt::format("prefill m=37 n=72 k=1024 g=64 act={} zp=packed bias=n device={} "
                        "fp={}",
                        act, device, fp),
            context);
      };
      const std::vector<uint16_t> first = on("gfx1151");
      for (const char* device : {"gfx1100", "gfx1201", "host"}) {
        EXPECT_EQ(on(device), first) << device << " " << fp << " " << act;
      }
    }
  }
}

}  // namespace
}  // namespace w4
