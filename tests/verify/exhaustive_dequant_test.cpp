// Dequantisation through the kernel's own code, exhaustively: every pair of places in a packed
// word x every pair of codes in them x every zero point, under a spread of scales. With one-hot
// activations each output is one dequantised weight after the one store, so it is compared bit for
// bit with the formula.
//   N = 16 zero points x 256 pairs of codes (256 rows where z = 8), K = 8 groups of 32: 32 words,
//   of which 28 hold the pairs of places (i, j); M = 5 places are read per call.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "verify/call.h"
#include "verify/materialise.h"

namespace w4 {
namespace {

constexpr int64_t kK = 256, kG = 32, kM = 5;

struct Place {
  int word, i, j;
};
std::vector<Place> places() {
  std::vector<Place> out;
  for (int i = 0; i < 8; ++i) {
    for (int j = i + 1; j < 8; ++j) out.push_back({static_cast<int>(out.size()), i, j});
  }
  return out;
}

// Row n: codes (n mod 16, n div 16 mod 16) at the two places of each word, other codes elsewhere.
std::shared_ptr<Weights> make_rows(DType t, bool zero_points) {
  // Ordinary, odd mantissas, both ends of fp16's range, a subnormal.
  constexpr std::array<double, 8> kScales{1,         0x1p-12, 1.0 / 3,    3.140625,
                                          0x1.ffcp3, 0x1p-14, 0x1.55p-20, 4000};
  auto w = std::make_shared<Weights>();
  w->n = zero_points ? 4096 : 256, w->k = kK, w->g = kG, w->act = t;
  w->q.resize(static_cast<size_t>(w->n * kK));
  const std::vector<Place> all = places();
  for (int64_t n = 0; n < w->n; ++n) {
    uint8_t* row = w->q.data() + n * kK;
    for (int64_t k = 0; k < kK; ++k) row[k] = static_cast<uint8_t>((k * 7 + n) & 15);
    for (const Place& p : all) {
      row[8 * p.word + p.i] = static_cast<uint8_t>(n & 15);
      row[8 * p.word + p.j] = static_cast<uint8_t>(n >> 4 & 15);
    }
    for (int64_t g = 0; g < kK / kG; ++g) {
      w->s.push_back(from_f64(t, kScales[static_cast<size_t>((g + n / 256) % 8)]));
      if (zero_points) w->z.push_back(static_cast<uint8_t>(n / 256));
    }
  }
  return w;
}

struct Config {
  const char *kernel, *device, *act, *zp;
};

class Dequant : public testing::TestWithParam<Config> {};

TEST_P(Dequant, EveryPairOfCodesEveryZeroPoint) {
  const Config& config = GetParam();
  Context context;
  const bool zero_points = std::string_view(config.zp) != "none";
  const Case c = *parse_case(fmt::format("{} m={} n={} k={} g={} act={} zp={} device={} fp=ieee",
                                         config.kernel, kM, zero_points ? 4096 : 256, kK, kG,
                                         config.act, config.zp, config.device));
  const auto setup = make_setup(c, context);
  ASSERT_TRUE(setup.has_value());
  ASSERT_TRUE(setup->broken.empty());
  const DType t = c.problem.act;
  const auto weights = make_rows(t, zero_points);
  const SourceTensors source = make_source(c.problem, weights.get());
  std::vector<int> ks;
  for (const Place& p : places()) ks.insert(ks.end(), {8 * p.word + p.i, 8 * p.word + p.j});

  int64_t compared = 0, wrong = 0;
  for (size_t first = 0; first < ks.size(); first += kM) {
    Arrays x;
    x.m = kM;
    x.wei = weights;
    x.a.assign(kM * kK, 0);
    for (size_t m = 0; m < kM && first + m < ks.size(); ++m) {
      x.a[m * kK + static_cast<size_t>(ks[first + m])] = from_f64(t, 1);
    }
    Call call(*setup);
    const Prepared prepared = call.prepare(&source);
    ASSERT_FALSE(prepared.refusal);
    ASSERT_TRUE(call.place(&x, &prepared.tensors).has_value());
    const w4::Run run = call.run();
    ASSERT_EQ(run.launches.size(), 1u);
    ASSERT_EQ(run.launches[0].end, LaunchResult::End::completed);
    const std::vector<uint16_t> y = call.output();
    for (size_t m = 0; m < kM && first + m < ks.size(); ++m) {
      const int64_t k = ks[first + m];
      for (int64_t n = 0; n < weights->n; ++n, ++compared) {
        const double q = weights->q[static_cast<size_t>(n * kK + k)];
        const double z = weights->zero(n, k / kG), s = weights->scale(n, k / kG);
        const double want = to_f64(t, from_f64(t, (q - z) * s));
        const double got =
            to_f64(t, y[m * static_cast<size_t>(weights->n) + static_cast<size_t>(n)]);
        if (got != want && ++wrong <= 5) {
          ADD_FAILURE() << "q " << q << " z " << z << " s " << s << " at k " << k << ": got " << got
                        << ", want " << want;
        }
      }
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(compared, weights->n * 56);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Dequant,
    testing::Values(
        Config{"decode", "gfx1151", "f16", "packed"},
        Config{"decode", "gfx1151", "f16", "unpacked"}, Config{"decode", "gfx1151", "f16", "none"},
        Config{"decode", "gfx1151", "bf16", "packed"},
        Config{"decode", "gfx1151", "bf16", "unpacked"},
        Config{"decode", "gfx1151", "bf16", "none"}, Config{"decode", "gfx1201", "f16", "packed"},
        Config{"decode", "gfx1201", "bf16", "packed"}, Config{"decode", "gfx1201", "f16", "none"},
        Config{"decode", "gfx1201", "bf16", "none"}, Config{"chunked", "gfx1151", "f16", "packed"},
        Config{"chunked", "gfx1151", "f16", "none"}, Config{"chunked", "gfx1151", "bf16", "packed"},
        Config{"chunked", "gfx1151", "bf16", "none"}, Config{"chunked", "gfx1201", "f16", "packed"},
        Config{"chunked", "gfx1201", "bf16", "packed"}, Config{"chunked", "gfx1201", "f16", "none"},
        Config{"chunked", "gfx1201", "bf16", "none"}),
    [](const auto& p) {
      return fmt::format("{}_{}_{}_{}", p.param.kernel, p.param.device, p.param.act, p.param.zp);
    });

}  // namespace
}  // namespace w4
