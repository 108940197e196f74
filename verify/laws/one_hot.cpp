// The law of the identity: one activation a row, a power of two, gives one weight a column.
#include <algorithm>

#include "verify/laws/laws.h"

namespace w4 {

Result<Plan> plan_one_hot(const Given& g) {
  Plan p{.first = g.side(), .kind = Plan::Kind::declared};
  Side& side = p.first;
  ActRows act = act_rows(side.x, g.problem());
  const int64_t k = side.x.wei->k;
  const DType t = side.x.wei->act;
  // Rows next to each other read columns next to each other, or far apart.
  const int64_t start = g.below(0, k), step = g.below(1, 2) == 0 ? 1 : 1 + g.below(2, k);
  for (int64_t r = 0; r < act.rows(); ++r) {
    for (int64_t i = 0; i < k; ++i) act.at(r, i) = 0;
    const int64_t power = g.below(3, 5, r) - 2;
    const double v = power == 2 ? -1 : static_cast<double>(1 << (power + 2)) / 4;
    act.at(r, (start + r * step) % k) = from_f64(t, v);
  }
  g.refresh(side.x, g.problem());
  if (g.problem().silu) {
    // A negative gate makes -0 of the others, for which the adder of gfx11 takes a unit off.
    const uint16_t minus_0 = from_f64(t, -0.0);
    for (int64_t m = 0; m < side.x.m; ++m) {
      for (int64_t i = 0; i < k; ++i) {
        if (side.x.a[static_cast<size_t>(m * k + i)] == minus_0)
          act.at(act_row_of(side.x, g.problem(), m), i) = minus_0;
      }
    }
    g.refresh(side.x, g.problem());
  }
  side.line.fill = Fill::onehot;  // whose errors have no chance to cancel
  side.data = fmt::format("one activation a row, row r at k = ({} + {}r) mod {}", start, step, k);
  return p;
}

}  // namespace w4
