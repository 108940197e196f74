// Laws of what no result may depend on: who ran before, in which order, on how many compute units,
// where the tensors lie.
#include <array>

#include "verify/laws/laws.h"

namespace w4 {
namespace {

Plan twice(const Given& g) {
  Plan p{.first = g.side()};
  p.more.push_back(p.first);
  p.any_words = true;
  return p;
}

}  // namespace

Result<Plan> plan_repeat(const Given& g) {
  Plan p{.first = g.side()};
  p.any_words = p.again = true;
  return p;
}

Result<Plan> plan_schedule(const Given& g) {
  constexpr std::array kOrders{Order::rr, Order::reversed, Order::random, Order::priority};
  Plan p = twice(g);
  Schedule& s = p.more[0].line.sched;
  // Any of the other three.
  const auto own = static_cast<size_t>(s.order);
  s = {.order = kOrders[(own + 1 + static_cast<size_t>(g.below(0, 3))) % kOrders.size()]};
  if (s.order == Order::random || s.order == Order::priority) {
    s.seed = g.bits(1) % 1000;
  } else if (g.below(2, 2) == 1) {
    s.quantum = 1;
  }
  return p;
}

Result<Plan> plan_cu_count(const Given& g) {
  constexpr std::array<int64_t, 9> kCounts{1, 2, 3, 7, 20, 32, 48, 96, 10000};
  Plan p = twice(g);
  const int64_t own = g.setup().reported.cus;
  auto at = static_cast<size_t>(g.below(0, kCounts.size()));
  if (kCounts[at] == own) at = (at + 1) % kCounts.size();
  p.more[0].line.problem.cus = kCounts[at];
  return p;
}

Result<Plan> plan_addresses(const Given& g) {
  Plan p = twice(g);
  Problem& q = p.more[0].line.problem;
  const auto moved = [&](uint32_t choice, int64_t step, int64_t& offset) {
    offset = (offset + step * (1 + g.below(choice, 256 / step - 1))) % 256;
  };
  const auto move_all = [&](int64_t pairs, int64_t words) {
    q = g.problem();
    moved(0, 16, q.aoff), moved(1, words, q.woff), moved(2, pairs, q.soff), moved(3, pairs, q.yoff);
    if (q.zp != ZpMode::none) moved(4, words, q.zoff);
    if (q.bias.rank > 0) moved(5, pairs, q.boff);
    if (g.setup().kernel->reads_carrier != 0) moved(6, words, q.coff);
  };
  move_all(2, 4);
  // Kernels that want whole vectors.
  if (g.why_not(p.more[0].line)) move_all(16, 16);
  if (g.why_not(p.more[0].line)) q = g.problem();
  p.neighbour = 16 * static_cast<uint64_t>(1 + g.below(7, 4096));
  return p;
}

}  // namespace w4
