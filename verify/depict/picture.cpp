#include "verify/depict/picture.h"

#include <algorithm>
#include <cmath>

#include "reference/drift.h"
#include "verify/explain/observe.h"
#include "verify/materialise.h"
#include "verify/operands.h"

namespace w4::depict {
namespace {

// First of each part of `all` in at most `most` parts of one size, and the end.
std::vector<int64_t> parts(int64_t all, int64_t most) {
  const int64_t size = std::max<int64_t>(1, (all + most - 1) / most);
  std::vector<int64_t> out;
  for (int64_t at = 0; at < all; at += size) out.push_back(at);
  out.push_back(all);
  return out;
}

}  // namespace

std::string_view name_of(What w) {
  switch (w) {
    case What::right:
      return "right";
    case What::wrong:
      return "wrong";
    case What::not_finite:
      return "not finite";
    case What::unwritten:
      break;
  }
  return "unwritten";
}

Element element_of(const explain::Observed& o, int64_t m, int64_t n) {
  const DType t = o.x.wei->act;
  const size_t i = o.right.twin.at(m, n);
  const Legal legal = explain::legal_at(o, m, n);
  const double bias = o.x.bias_at(m, n);
  Element e{.m = m,
            .n = n,
            .got = to_f64(t, o.out[i]),
            .low = legal.nan ? NAN : legal.low,
            .high = legal.nan ? NAN : legal.high,
            .twin = o.right.twin.declared[i],
            .bound = o.right.bound.b[i]};
  if (o.bad[i] != 0) {
    e.what = o.out[i] == poison_bits(to_module(t)) ? What::unwritten
             : !std::isfinite(e.got)               ? What::not_finite
                                                   : What::wrong;
  }
  if (!std::isfinite(e.got) || !std::isfinite(e.twin) || (legal.overflow && o.bad[i] == 0))
    return e;
  const double needed = needed_error(t, o.numerics, e.twin, e.bound, bias, o.x.has_bias(), e.got);
  const double tolerance = std::max(e.bound, ulp_at(t, e.twin + bias) / 2);
  const double centre = to_f64(t, o.numerics.store(e.twin, bias, o.x.has_bias()));
  e.error = e.got < centre ? -needed / tolerance : needed / tolerance;
  return e;
}

bool worse(const Element& a, const Element& b) {
  if (a.what != b.what) return a.what > b.what;
  return std::abs(a.error) > std::abs(b.error);
}

Picture picture_of(const explain::Observed& o, const std::vector<int64_t>& order, int64_t side) {
  Picture p{.rows = parts(o.m(), side), .columns = parts(o.n(), side), .cells = {}};
  for (size_t r = 0; r + 1 < p.rows.size(); ++r) {
    for (size_t c = 0; c + 1 < p.columns.size(); ++c) {
      Cell cell;
      Element worst;
      for (int64_t at = p.rows[r]; at < p.rows[r + 1]; ++at) {
        const int64_t m = order.empty() ? at : order[static_cast<size_t>(at)];
        for (int64_t n = p.columns[c]; n < p.columns[c + 1]; ++n) {
          const Element e = element_of(o, m, n);
          cell.wrong += e.what != What::right;
          if (worse(e, worst)) worst = e;
        }
      }
      cell.what = worst.what;
      cell.error = worst.error;
      p.cells.push_back(cell);
    }
  }
  return p;
}

std::vector<Element> worst_of(const explain::Observed& o, size_t count) {
  std::vector<Element> out;
  for (int64_t m = 0; m < o.m(); ++m) {
    for (int64_t n = 0; n < o.n(); ++n) {
      if (o.bad[o.right.twin.at(m, n)] == 0) continue;
      const Element e = element_of(o, m, n);
      if (out.size() == count && !worse(e, out.back())) continue;
      // After its equals, so that of equals the first stay.
      out.insert(std::ranges::upper_bound(out, e, worse), e);
      if (out.size() > count) out.pop_back();
    }
  }
  return out;
}

}  // namespace w4::depict
