#include "verify/experts.h"

#include <algorithm>
#include <limits>

#include "core/fill.h"
#include "kernels/sorted_ids.h"

namespace w4 {
namespace {

constexpr uint32_t kRoute = 20;  // no tensor of a problem has this number

// Draws without repetition from [0, experts).
class Draw {
 public:
  Draw(int64_t experts, uint64_t seed, int64_t token)
      : left_(static_cast<size_t>(experts)), seed_(seed), token_(token) {
    for (size_t e = 0; e < left_.size(); ++e) left_[e] = static_cast<int32_t>(e);
  }
  // One of the first `among` that are left, at least one.
  int32_t take(size_t among) {
    const size_t i = bits() % std::max<size_t>(1, std::min(among, left_.size()));
    const int32_t e = left_[i];
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
    return e;
  }
  size_t left() const { return left_.size(); }
  size_t left_below(int32_t end) const {
    return static_cast<size_t>(std::ranges::lower_bound(left_, end) - left_.begin());
  }
  uint64_t bits() { return counter_bits(seed_, kRoute, token_, turn_++); }

 private:
  std::vector<int32_t> left_;  // ascending
  uint64_t seed_;
  int64_t token_, turn_ = 0;
};

int32_t draw(const Problem& p, Draw& of) {
  if (p.route != Routing::skewed) return of.take(of.left());
  const auto quarter = static_cast<int32_t>(std::max<int64_t>(1, p.experts / 4));
  const size_t popular = of.left_below(quarter);
  return of.take(popular > 0 && (of.bits() & 1) != 0 ? popular : of.left());
}

bool is_away(const Problem& p, int32_t expert) {
  if (p.route == Routing::nowhere) return true;
  return (p.route == Routing::elsewhere || p.route == Routing::outside) && expert % 3 == 2;
}

// Ids that are no expert's, in turn; blocks of -1 take them.
int32_t wild_id(int64_t experts, size_t turn) {
  const std::array<int32_t, 5> ids{static_cast<int32_t>(experts), -2,
                                   std::numeric_limits<int32_t>::max(),
                                   std::numeric_limits<int32_t>::min(), -1};
  return ids[turn % ids.size()];
}

// `row` of the fill as row `at` of act.
void append_row(std::vector<uint16_t>& to, const Filler& fill, int64_t row, int64_t k,
                const Only& only, int64_t at) {
  for (int64_t i = 0; i < k; ++i) to.push_back(only.act(at, i) ? fill.act(row, i) : uint16_t{0});
}

// Sparse recipes as gates would leave almost nothing of the product.
Fill gate_fill(Fill f) {
  return f == Fill::integer || f == Fill::onehot || f == Fill::lane ? Fill::flat : f;
}

}  // namespace

std::vector<int32_t> route_slots(const Problem& p, uint64_t seed) {
  std::vector<int32_t> out;
  for (int64_t t = 0; t < p.m; ++t) {
    Draw of(p.experts, seed, t);
    for (int64_t choice = 0; choice < p.topk; ++choice) {
      const int32_t e = p.route == Routing::single ? static_cast<int32_t>(choice) : draw(p, of);
      out.push_back(is_away(p, e) ? -1 : e);
    }
  }
  return out;
}

Arrays make_expert_arrays(const Case& c, std::shared_ptr<const Weights> weights, Gate gate) {
  const Problem& p = c.problem;
  const std::vector<int32_t> expert_of_slot = route_slots(p, c.seed);
  SortedIds ids = sort_slots(expert_of_slot, p.experts, p.blockm);
  const auto slot_count = static_cast<int64_t>(expert_of_slot.size());
  Arrays x;
  x.wei = std::move(weights);
  ExpertRows rows;
  std::vector<int64_t> source;  // [M]: a row of the fill
  if (p.rows == Rows::scattered) {
    rows.expert = expert_of_slot;
    for (int64_t s = 0; s < slot_count; ++s) source.push_back(p.silu ? s : s / p.topk);
    rows.sorted_ids = ids.sorted;
  } else {
    while (!ids.sorted.empty() && ids.sorted.back() == slot_count) ids.sorted.pop_back();
    for (size_t r = 0; r < ids.sorted.size(); ++r) {
      const int64_t slot = ids.sorted[r];
      const int64_t own = slot_count + static_cast<int64_t>(r);
      rows.expert.push_back(ids.experts[r / static_cast<size_t>(p.blockm)]);
      source.push_back(slot == slot_count ? own : p.silu ? slot : slot / p.topk);
    }
  }
  x.m = static_cast<int64_t>(source.size());
  const Filler fill(c.fill, c.seed, p.act, p.k, p.g);
  const Filler gates(gate_fill(c.fill), c.seed, p.act, p.k, p.g);
  rows.act_columns = act_columns(p);
  if (p.silu) {
    rows.act_rows = x.m;
    for (size_t m = 0; m < source.size(); ++m) {
      append_row(rows.act, gates, 2 * source[m], p.k, {}, 0);
      append_row(rows.act, fill, 2 * source[m] + 1, p.k, c.only, static_cast<int64_t>(m));
      for (int64_t k = 0; k < p.k; ++k) {
        const size_t up = rows.act.size() - static_cast<size_t>(p.k - k);
        x.a.push_back(gate(static_cast<w4_dtype>(p.act), rows.act[up - static_cast<size_t>(p.k)],
                           rows.act[up]));
      }
    }
  } else {
    // Scattered, row `row` of act is row `row` of the fill.
    for (size_t m = 0; m < source.size(); ++m) {
      const int64_t at = p.rows == Rows::scattered ? source[m] : static_cast<int64_t>(m);
      append_row(x.a, fill, source[m], p.k, c.only, at);
    }
    if (p.rows == Rows::scattered) {
      rows.act_rows = p.m;
      for (int64_t t = 0; t < p.m; ++t) append_row(rows.act, fill, t, p.k, c.only, t);
    } else {
      rows.act_rows = x.m;
      rows.act = x.a;
    }
  }
  rows.expert_ids = std::move(ids.experts);
  if (p.route == Routing::outside) {
    size_t turn = 0;
    for (int32_t& id : rows.expert_ids) {
      if (id < 0) id = wild_id(p.experts, turn++);
    }
  }
  x.moe = std::move(rows);
  return x;
}

}  // namespace w4
