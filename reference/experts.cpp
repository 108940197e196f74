#include "reference/experts.h"

#include <algorithm>

namespace w4 {
namespace {

template <class T>
std::vector<T> part(const std::vector<T>& all, int64_t first, int64_t count) {
  if (all.empty()) return {};
  return {all.begin() + first, all.begin() + first + count};
}

// Row `from` of [*, n] to row `to` of another.
template <class T>
void copy_row(const std::vector<T>& source, int64_t from, std::vector<T>& target, int64_t to,
              int64_t n) {
  std::copy_n(source.begin() + from * n, n, target.begin() + to * n);
}

}  // namespace

Arrays expert_problem(const Arrays& x, int64_t expert, std::vector<int64_t>& rows) {
  const Weights& all = *x.wei;
  auto w = std::make_shared<Weights>();
  w->n = all.n, w->k = all.k, w->g = all.g, w->act = all.act;
  const int64_t codes = all.n * all.k, scales = all.n * all.groups();
  w->q = part(all.q, expert * codes, codes);
  w->s = part(all.s, expert * scales, scales);
  w->z = part(all.z, expert * scales, scales);
  Arrays out;
  out.wei = std::move(w);
  rows.clear();
  for (int64_t m = 0; m < x.m; ++m) {
    if (x.moe->expert[static_cast<size_t>(m)] != expert) continue;
    rows.push_back(m);
    out.a.insert(out.a.end(), x.a.begin() + m * all.k, x.a.begin() + (m + 1) * all.k);
  }
  out.m = static_cast<int64_t>(rows.size());
  return out;
}

Reference make_reference(const Arrays& x, const Numerics& numerics, Arithmetic arithmetic,
                         bool random_fill) {
  if (!x.moe) {
    Reference out{make_twin(x, numerics), {}};
    out.bound = make_bound(x, out.twin, numerics.chain(), arithmetic, random_fill);
    return out;
  }
  const int64_t n = x.wei->n;
  const auto size = static_cast<size_t>(x.m * n);
  Reference out{
      {x.m, n, std::vector<double>(size), std::vector<double>(size), std::vector<double>(size)},
      {std::vector<double>(size), std::vector<uint8_t>(size)}};
  std::vector<int32_t> used = x.moe->expert;
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<int64_t> rows;
  for (const int32_t expert : used) {
    if (expert < 0) continue;
    const Arrays part = expert_problem(x, expert, rows);
    const Twin twin = make_twin(part, numerics);
    const Bound bound = make_bound(part, twin, numerics.chain(), arithmetic, random_fill);
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto from = static_cast<int64_t>(i);
      copy_row(twin.declared, from, out.twin.declared, rows[i], n);
      copy_row(twin.exact, from, out.twin.exact, rows[i], n);
      copy_row(twin.magnitude, from, out.twin.magnitude, rows[i], n);
      copy_row(bound.b, from, out.bound.b, rows[i], n);
      copy_row(bound.overflow, from, out.bound.overflow, rows[i], n);
    }
  }
  return out;
}

}  // namespace w4
