// Laws of the same sum in another shape: output features in another order, groups in halves, K
// longer by nothing.
#include <numeric>

#include "verify/laws/laws.h"

namespace w4 {
namespace {

// Row r of the result is row from[r] of `all`, `length` long.
template <class T>
std::vector<T> taken(const std::vector<T>& all, const std::vector<int64_t>& from, int64_t length) {
  std::vector<T> out;
  if (all.empty()) return out;
  out.reserve(all.size());
  for (const int64_t r : from) {
    out.insert(out.end(), all.begin() + r * length, all.begin() + (r + 1) * length);
  }
  return out;
}

// Each row of `all` with `more(row, i)` behind it for i in [0, count).
template <class T, class F>
std::vector<T> lengthened(const std::vector<T>& all, int64_t length, int64_t count, F&& more) {
  std::vector<T> out;
  if (all.empty()) return out;
  const auto rows = static_cast<int64_t>(all.size()) / length;
  for (int64_t r = 0; r < rows; ++r) {
    out.insert(out.end(), all.begin() + r * length, all.begin() + (r + 1) * length);
    for (int64_t i = 0; i < count; ++i) out.push_back(more(r, i));
  }
  return out;
}

}  // namespace

Result<Plan> plan_permute_n(const Given& g) {
  Plan p{.first = g.side()};
  const Weights& w = *p.first.x.wei;
  const int64_t n = w.n, experts = std::max<int64_t>(w.experts, 1);
  if (n == 1) return fail("N = 1 has one order only");
  std::vector<int64_t> column(static_cast<size_t>(n));  // of the first call
  std::iota(column.begin(), column.end(), 0);
  for (int64_t i = n - 1; i > 0; --i) {
    std::swap(column[static_cast<size_t>(i)], column[static_cast<size_t>(g.below(0, i + 1, i))]);
  }
  std::vector<int64_t> rows;
  for (int64_t e = 0; e < experts; ++e) {
    for (const int64_t c : column) rows.push_back(e * n + c);
  }
  Side other = p.first;
  Weights moved = w;
  moved.q = taken(w.q, rows, w.k);
  moved.s = taken(w.s, rows, w.groups());
  moved.z = taken(w.z, rows, w.groups());
  set_weights(other, std::move(moved), "its rows of N in another order");
  if (other.x.bx == n) {
    for (int64_t r = 0; r < other.x.by; ++r) {
      for (int64_t c = 0; c < n; ++c) {
        other.x.bias[static_cast<size_t>(r * n + c)] =
            p.first.x.bias[static_cast<size_t>(r * n + column[static_cast<size_t>(c)])];
      }
    }
  }
  for (int64_t m = 0; m < p.first.x.m; ++m) {
    for (int64_t c = 0; c < n; ++c) {
      p.elements.push_back({m * n + column[static_cast<size_t>(c)], 0, m * n + c});
    }
  }
  p.more.push_back(std::move(other));
  return p;
}

Result<Plan> plan_split_groups(const Given& g) {
  Plan p{.first = g.side()};
  Side other = p.first;
  Problem& q = other.line.problem;
  q.g /= 2;
  q.tile.reset();
  if (auto why = g.why_not(other.line)) return fail("G = {}: {}", q.g, *why);
  Weights halves = *p.first.x.wei;
  const auto twice = [](const auto& all) {
    auto out = all;
    out.clear();
    for (const auto v : all) out.push_back(v), out.push_back(v);
    return out;
  };
  halves.g = q.g, halves.s = twice(halves.s), halves.z = twice(halves.z);
  set_weights(other, std::move(halves), "every scale and zero point twice");
  p.letters = "g";
  p.keep_tile = true;
  p.more.push_back(std::move(other));
  return p;
}

Result<Plan> plan_extend_k(const Given& g) {
  Plan p{.first = g.side()};
  const Weights& w = *p.first.x.wei;
  Side other = p.first;
  Problem& q = other.line.problem;
  q.tile.reset();
  const auto by = [&](int64_t count) {
    const int64_t more = count * q.g;
    q = g.problem();
    q.tile.reset();
    q.k += more;
    // Rows that lie far apart have room, and none to lie further apart.
    if (resolved_lda(q) >= 2 * q.k) return g.why_not(other.line);
    if (q.lda) *q.lda += more;
    if (q.ldl) *q.ldl += more * lead_rows(q);
    return g.why_not(other.line);
  };
  if (by(1 + g.below(0, 3)) && by(1)) return fail("a longer K: {}", *by(1));
  const int64_t more = q.k - w.k, groups = more / q.g;
  Weights longer = w;
  longer.k = q.k;
  longer.q = lengthened(w.q, w.k, more, [&](int64_t r, int64_t i) {
    return static_cast<uint8_t>(g.below(1, 16, r, i));
  });
  longer.s = lengthened(w.s, w.groups(), groups, [&](int64_t r, int64_t) {
    return w.s[static_cast<size_t>((r + 1) * w.groups() - 1)];
  });
  longer.z = lengthened(w.z, w.groups(), groups, [&](int64_t r, int64_t i) {
    return static_cast<uint8_t>(g.below(2, 16, r, i));
  });
  const auto zero = [](int64_t, int64_t) { return uint16_t{0}; };
  if (other.x.moe) {
    // Under silu a row is two of K columns.
    other.x.moe->act = lengthened(other.x.moe->act, w.k, more, zero);
    other.x.moe->act_columns = act_columns(q);
    g.refresh(other.x, q);
  } else {
    other.x.a = lengthened(other.x.a, w.k, more, zero);
  }
  set_weights(other, std::move(longer), fmt::format("act zero from k={}", w.k));
  p.letters = "k";
  p.keep_tile = true;
  p.more.push_back(std::move(other));
  return p;
}

}  // namespace w4
