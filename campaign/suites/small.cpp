#include "campaign/suites/small.h"

#include "campaign/suites/suite.h"
#include "core/contract.h"

namespace w4 {
namespace {

void add(std::vector<Case>& out, uint64_t seed, int64_t m, int64_t n, int64_t k, int64_t g,
         DType act, ZpMode zp) {
  const size_t turn = out.size();
  Case c = decode_case(m, n, k, g, act, seed);
  c.problem.zp = zp;
  constexpr Order kOrders[] = {Order::rr, Order::reversed, Order::random};
  c.sched.order = kOrders[turn % 3];
  if (c.sched.order == Order::random) c.sched.seed = turn;
  constexpr std::array<const char*, 4> kFp{"auto", "ieee", "gfx1151", "gfx1201"};
  c.fp = kFp[static_cast<size_t>(turn / 3 % 4)];
  out.push_back(std::move(c));
}

}  // namespace

std::vector<Case> small_cases(uint64_t seed) {
  std::vector<Case> out;
  for (const int64_t g : {32, 64, 128}) {
    for (int64_t k = g; k <= kSmallK; k += g) {
      for (int64_t n = 1; n <= kSmallN; ++n) {
        for (int64_t m = 1; m <= kMaxDecodeM; ++m) {
          add(out, seed, m, n, k, g, DType::f16, ZpMode::none);
          if (n % 8 == 0) add(out, seed, m, n, k, g, DType::bf16, ZpMode::packed);
          if (n % 2 == 1) add(out, seed, m, n, k, g, DType::bf16, ZpMode::unpacked);
        }
      }
    }
  }
  return out;
}

}  // namespace w4
