// The bias.
#include <fmt/format.h>

#include "verify/explain/hypothesis.h"
#include "verify/explain/tables.h"

namespace w4::explain {
namespace {

template <class F>
Recipe with_bias(const Observed& o, F bias) {
  Recipe r = declared_recipe(o);
  r.bias = [x = &o.x, bias](int64_t m, int64_t n) -> double { return bias(*x, m, n); };
  return r;
}

std::vector<Variant> ignored(const Observed& o) {
  if (!o.x.has_bias()) return {};
  return {
      {"the bias is not added", with_bias(o, [](const Arrays&, int64_t, int64_t) { return 0; })}};
}

std::vector<Variant> repeated(const Observed& o) {
  if (!o.x.has_bias()) return {};
  std::vector<Variant> out;
  // Up to once by each lane of a wave.
  for (const int times : {2, 3, 4, 8, 16, 32}) {
    out.push_back({fmt::format("the bias is added {} times", times),
                   with_bias(o, [times](const Arrays& x, int64_t m, int64_t n) {
                     return times * x.bias_at(m, n);
                   })});
  }
  out.push_back({"the bias is subtracted", with_bias(o, [](const Arrays& x, int64_t m, int64_t n) {
                   return -x.bias_at(m, n);
                 })});
  return out;
}

std::vector<Variant> row_zero(const Observed& o) {
  if (o.x.by < 2) return {};
  return {{"every row uses row 0 of the bias",
           with_bias(o, [](const Arrays& x, int64_t, int64_t n) { return x.bias_at(0, n); })}};
}

std::vector<Variant> stride_n(const Observed& o) {
  const Problem& p = o.line.problem;
  const int64_t stride = bias_stride(p);
  if (p.bias.rank != 2 || o.x.by < 2 || stride == o.n()) return {};
  return {{fmt::format("rows of the bias are taken to be N = {} elements apart instead of {}",
                       o.n(), stride),
           with_bias(o, [stride, width = o.n()](const Arrays& x, int64_t m, int64_t n) {
             const int64_t flat = m % x.by * width + n % x.bx;
             const int64_t row = flat / stride, col = flat % stride;
             return row < x.by && col < x.bx ? x.bias_at(row, col) : kUnknown;
           })}};
}

// Of rows as long as N stride_n says it.
std::vector<Variant> stride_ignored(const Observed& o) {
  const Problem& p = o.line.problem;
  const int64_t stride = bias_stride(p);
  const bool vector = p.bias.rank == 1;
  const bool rows = p.bias.rank == 2 && o.x.by > 1 && o.x.bx != o.n() && stride != o.x.bx;
  if (!(vector && stride != 1) && !rows) return {};
  return {{fmt::format("the stride of the bias, {} elements, is ignored", stride),
           with_bias(o, [stride, vector](const Arrays& x, int64_t m, int64_t n) {
             const int64_t flat = vector ? n % x.bx : m % x.by * x.bx + n % x.bx;
             const int64_t row = flat / stride, at = flat % stride;
             if (vector) return at == 0 ? x.bias_at(0, row) : kUnknown;
             return row < x.by && at < x.bx ? x.bias_at(row, at) : kUnknown;
           })}};
}

std::vector<Variant> octets(const Observed& o) {
  if (!o.x.has_bias() || o.x.bx < 8 || o.n() % 8 != 0) return {};
  std::vector<Variant> out;
  const auto add = [&](std::string says, std::array<int, 8> order) {
    out.push_back({std::move(says), with_bias(o, [order](const Arrays& x, int64_t m, int64_t n) {
                     return x.bias_at(m, in_octet(n, order));
                   })});
  };
  add("the bias is in tile order 0 2 4 6 1 3 5 7 within each octet of channels", kShuffledOrder);
  add("the bias is read in tile order 0 2 4 6 1 3 5 7 within each octet of channels",
      kShuffledSlot);
  add("the bias of each octet of channels is in reverse order", kReversed);
  add("the bias of each two neighbouring channels is swapped", kPairsSwapped);
  return out;
}

std::vector<Variant> neighbour(const Observed& o) {
  if (!o.x.has_bias() || o.x.bx < 2) return {};
  std::vector<Variant> out;
  for (const int64_t by : {1, -1, 8, -8, 16, -16}) {
    if (by >= o.n() || -by >= o.n()) continue;
    out.push_back({fmt::format("channel n adds the bias of channel n{:+}", by),
                   with_bias(o, [by, width = o.n()](const Arrays& x, int64_t m, int64_t n) {
                     return n + by < 0 || n + by >= width ? kUnknown : x.bias_at(m, n + by);
                   })});
  }
  return out;
}

std::vector<Variant> first_channel(const Observed& o) {
  if (!o.x.has_bias() || o.x.bx < 2) return {};
  return {{"every channel adds the bias of channel 0",
           with_bias(o, [](const Arrays& x, int64_t m, int64_t) { return x.bias_at(m, 0); })}};
}

constexpr Hypothesis kAll[]{
    {"bias.ignored", "the bias is not added", "B41 B42", "bias=", ignored},
    {"bias.repeated", "the bias is added more than once, or subtracted", "B43", "bias=", repeated},
    {"bias.row_0", "every row uses row 0 of the bias", "B40", "bias=mxn, mx1, M > 1", row_zero},
    {"bias.stride_n", "rows of the bias are taken to be N elements apart", "B40",
     "2-D bias with other rows", stride_n},
    {"bias.stride_ignored", "the stride of the bias is ignored", "B40 B70", "ldb=", stride_ignored},
    {"bias.octet_order", "the bias is permuted within octets of channels", "B44",
     "bias=n, 1xn, mxn", octets},
    {"bias.neighbour", "another channel's bias is added", "B44", "bias=n, 1xn, mxn", neighbour},
    {"bias.first_channel", "every channel adds the bias of channel 0", "B44", "bias=n, 1xn, mxn",
     first_channel},
};

}  // namespace

std::span<const Hypothesis> bias_hypotheses() { return kAll; }

}  // namespace w4::explain
