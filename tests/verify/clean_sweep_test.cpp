// No alarm on clean kernels: every N in 1..64, K = G, 2 G, … up to 2048, M 1..5. The configurations
// rotate so that each (N, M) and each (K, G, M) meets every arch, dtype and zero-point mode.
// W4_SWEEP=1 runs every combination of N and K instead of one K per N.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "verify/run_case.h"

namespace w4 {
namespace {

constexpr std::array kArchs{"gfx1151", "gfx1201", "gfx1100"};
constexpr std::array kActs{"f16", "bf16"};
constexpr std::array kZps{"none", "packed", "unpacked"};
constexpr std::array kFills{"flat", "integer", "lane", "normal", "constant"};
constexpr std::array kScheds{"rr", "rev", "random:3"};

class Sweep : public testing::TestWithParam<int> {
 protected:
  void run(int n, int k, int g, int m, unsigned turn) {
    const auto pick = [&turn](const auto& from) {
      const auto value = from[turn % from.size()];
      turn /= 2;  // sizes 2, 3 and 5 under halving: neighbouring turns differ in every list
      return value;
    };
    const char* zp = kZps[turn % 3];
    const bool packed = turn % 3 == 1;
    const std::string line = fmt::format(
        "decode m={} n={} k={} g={} zp={} device={} act={} fill={} sched={} cus={} seed={}", m,
        packed ? (n + 7) / 8 * 8 : n, k, g, zp, pick(kArchs), pick(kActs), pick(kFills),
        pick(kScheds), 1 + turn % 20, turn);
    const Verdict v = run_case(*parse_case(line), context_);
    ++cases_;
    // Small outputs of the sparse fills may prove little, which is not an alarm.
    if (v.kind() == VerdictKind::pass || v.kind() == VerdictKind::mistrusted) return;
    ADD_FAILURE() << to_string(v);
  }
  Context context_;
  int cases_ = 0;
};

TEST_P(Sweep, NoAlarm) {
  const int m = GetParam();
  const bool every = std::getenv("W4_SWEEP") != nullptr;
  unsigned turn = static_cast<unsigned>(m);
  for (int n = 1; n <= 64; ++n) {
    for (int g : {32, 64, 128}) {
      if (every) {
        for (int k = g; k <= 2048; k += g) run(n, k, g, m, turn++);
      } else {
        run(n, g * (1 + (n * 7 + m) % (2048 / g)), g, m, turn++);
      }
    }
  }
  for (int g : {32, 64, 128}) {
    for (int k = g; k <= 2048; k += g) run(1 + (k / g * 5) % 64, k, g, m, turn++);
  }
  EXPECT_GE(cases_, 300);
}
INSTANTIATE_TEST_SUITE_P(M, Sweep, testing::Range(1, 6));

}  // namespace
}  // namespace w4
