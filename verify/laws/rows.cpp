// Laws of rows of activations: each output row is a function of its own, and of all of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "verify/laws/laws.h"

namespace w4 {
namespace {

constexpr uint16_t nan_of(DType t) { return t == DType::f16 ? 0x7E00 : 0x7FC0; }
constexpr uint16_t infinity_of(DType t) { return t == DType::f16 ? 0x7C00 : 0x7F80; }

// Row m of a layer of experts as a layer of one token and one choice.
ExpertRows one_row(const ExpertRows& all, const Problem& p, const Arrays& x, int64_t m) {
  ExpertRows one;
  const int32_t expert = all.expert[static_cast<size_t>(m)];
  const int64_t from = act_row_of(x, p, m) * all.act_columns;
  one.expert = {expert};
  one.act = {all.act.begin() + from, all.act.begin() + from + all.act_columns};
  one.act_rows = 1, one.act_columns = all.act_columns;
  one.expert_ids = {expert};
  if (p.rows == Rows::scattered) {  // slot 0, then padding
    one.sorted_ids.assign(static_cast<size_t>(p.blockm), 1);
    one.sorted_ids[0] = 0;
  }
  return one;
}

}  // namespace

Result<Plan> plan_row_alone(const Given& g) {
  Plan p{.first = g.side()};
  const Arrays& x = p.first.x;
  if (x.m == 1) return fail("M is 1 already");
  const int64_t m = g.below(0, x.m), n = x.wei->n;
  Side other = p.first;
  Problem& q = other.line.problem;
  q.m = 1;
  q.lead.reset(), q.ldl.reset();
  q.tile.reset();
  Arrays& y = other.x;
  y.m = 1;
  y.a = {x.a.begin() + m * x.wei->k, x.a.begin() + (m + 1) * x.wei->k};
  if (g.moe()) {
    y.moe = one_row(*x.moe, g.problem(), x, m);
    q.topk = 1;
  }
  if (x.has_bias() && x.by > 1) {
    const int64_t row = m % x.by;
    y.bias = {x.bias.begin() + row * x.bx, x.bias.begin() + (row + 1) * x.bx};
    y.by = 1;
    if (q.bias.rank == 2) q.bias.dim[0] = {Extent::Of::literal, 1};
  }
  if (auto why = g.why_not(other.line)) return fail("one row: {}", *why);
  other.data = fmt::format("the data of row {} of the first", m);
  for (int64_t c = 0; c < n; ++c) p.elements.push_back({m * n + c, 0, c});
  p.letters = "m";
  p.keep_tile = true;
  p.more.push_back(std::move(other));
  return p;
}

Result<Plan> plan_row_isolation(const Given& g) {
  Plan p{.first = g.side()};
  Side other = p.first;
  ActRows act = act_rows(other.x, g.problem());
  if (act.rows() == 1) return fail("there is no other row");
  const int64_t bad = g.below(0, act.rows()), n = other.x.wei->n, k = other.x.wei->k;
  const DType t = other.x.wei->act;
  const int64_t nan = g.below(1, k), infinity = (nan + 1 + g.below(2, k - 1)) % k;
  // Both, or one alone: a row that holds a NaN has no output that is infinite.
  const int64_t without = g.below(3, 3);
  std::string what;
  if (without != 1) {
    act.at(bad, nan) = nan_of(t);
    what = fmt::format("NaN at act[row={}, k={}]", bad, nan);
  }
  if (without != 2) {
    act.at(bad, infinity) = infinity_of(t);
    what += fmt::format("{}Inf at act[row={}, k={}]", what.empty() ? "" : " and ", bad, infinity);
  }
  g.refresh(other.x, g.problem());
  for (int64_t m = 0; m < other.x.m; ++m) {
    if (act_row_of(other.x, g.problem(), m) == bad) continue;
    for (int64_t c = 0; c < n; ++c) p.elements.push_back({m * n + c, 0, m * n + c});
  }
  if (p.elements.empty()) return fail("there is no other row");
  other.data = what;
  p.more.push_back(std::move(other));
  return p;
}

Result<Plan> plan_tail_act(const Given& g) {
  Plan p{.first = g.side(), .kind = Plan::Kind::differs};
  Side other = p.first;
  ActRows act = act_rows(other.x, g.problem());
  const int64_t k = other.x.wei->k, groups = other.x.wei->groups();
  const DType t = other.x.wei->act;
  // Where loops end early: in the last 16, the last group, what is over after whole steps of 512,
  // or after four groups.
  const auto over = [](int64_t v, int64_t of) { return v % of == 0 ? of : v % of; };
  const std::array<int64_t, 4> tails{16, other.x.wei->g, over(k, 512),
                                     over(groups, 4) * other.x.wei->g};
  const int64_t tail = std::min(k, tails[static_cast<size_t>(g.below(0, tails.size()))]);
  const int64_t at = k - tail + g.below(1, tail);
  for (int64_t r = 0; r < act.rows(); ++r) {
    double most = 1;
    for (int64_t i = 0; i < k; ++i) {
      const double v = std::abs(to_f64(t, act.at(r, i)));
      if (std::isfinite(v)) most = std::max(most, v);
    }
    uint16_t& v = act.at(r, at);
    const double sign = to_f64(t, v) > 0 ? -1 : 1;
    v = from_f64(t, sign * std::min(std::exp2(std::ceil(std::log2(most))),
                                    t == DType::f16 ? 0x1p14 : 0x1p100));
  }
  g.refresh(other.x, g.problem());
  other.data = fmt::format("the largest activation of each row at k={}", at);
  p.more.push_back(std::move(other));
  return p;
}

}  // namespace w4
