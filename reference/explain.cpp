#include "reference/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/experts.h"

namespace w4 {
namespace {

std::string_view name_of(Chain::Unit u) {
  switch (u) {
    case Chain::Unit::fma32:
      return "fp32 fma";
    case Chain::Unit::dot2:
      return "dot2";
    case Chain::Unit::wmma:
      return "matrix instructions";
  }
  return "";
}

std::string chain_text(const ExplainedInterval& e) {
  std::string out = fmt::format("{} under fp={}, n = {} steps", name_of(e.chain.unit),
                                name_of(e.arithmetic), e.chain.steps);
  if (e.chain.unit == Chain::Unit::dot2 && e.chain.chunk > 0)
    out += fmt::format(", chunks of A = {}, {} per lane", e.chain.chunk, e.chain.chunks);
  if (e.chain.unit == Chain::Unit::wmma && e.chain.chunk > 0)
    out += fmt::format(", A = {} at a time along K", e.chain.chunk);
  if (e.chain.offset_trick) out += ", offset trick";
  return out;
}

// A NaN has a sign, which means nothing.
double unsigned_nan(double v) {
  return std::isnan(v) ? std::numeric_limits<double>::quiet_NaN() : v;
}

std::string term_text(const BoundTerm& t, double b) {
  // No share of a bound that is no number.
  const std::string share = std::isfinite(b) ? fmt::format("{:.1f}", 100 * t.value / b) : "-";
  std::string out = fmt::format("    {:<36} {:<13.6g} {:>5} %  {}", t.name, unsigned_nan(t.value),
                                share, t.formula);
  if (!t.larger_formula.empty())
    out += fmt::format("; smaller than {} = {:.6g}", t.larger_formula, t.larger_value);
  return out + "\n";
}

// The dense problem of the element's expert, and its row there.
ExplainedInterval of_expert(const Arrays& x, const Numerics& numerics, Arithmetic arithmetic,
                            bool random_fill, int64_t m, int64_t n) {
  std::vector<int64_t> rows;
  const Arrays part = expert_problem(x, x.moe->expert[static_cast<size_t>(m)], rows);
  const auto at = std::find(rows.begin(), rows.end(), m) - rows.begin();
  ExplainedInterval e = explain_interval(part, numerics, arithmetic, random_fill, at, n);
  e.m = m;
  return e;
}

}  // namespace

ExplainedInterval explain_interval(const Arrays& x, const Numerics& numerics, Arithmetic arithmetic,
                                   bool random_fill, int64_t m, int64_t n) {
  if (x.moe && x.promises(m)) return of_expert(x, numerics, arithmetic, random_fill, m, n);
  ExplainedInterval e{.m = m,
                      .n = n,
                      .act = x.wei->act,
                      .product = x.promises(m),
                      .bias = x.bias_at(m, n),
                      .has_bias = x.has_bias(),
                      .chain = numerics.chain(),
                      .arithmetic = arithmetic,
                      .random_fill = random_fill};
  bool overflow = false;
  if (e.product) {
    const Reference right = make_reference(x, numerics, arithmetic, random_fill);
    const size_t i = right.twin.at(m, n);
    e.exact = right.twin.exact[i];
    e.declared = right.twin.declared[i];
    e.magnitude = right.twin.magnitude[i];
    e.b = right.bound.b[i];
    overflow = right.bound.overflow[i] != 0;
    e.terms = explain_bound(x, right.twin, e.chain, arithmetic, random_fill, m, n);
  }
  e.legal = legal_values(e.act, numerics, e.declared, e.b, overflow, e.bias, e.has_bias);
  return e;
}

std::string to_string(const ExplainedInterval& e) {
  std::string out =
      fmt::format("  interval of out[m={}, n={}]: [{:.9g}, {:.9g}] in {}{}{}\n", e.m, e.n,
                  unsigned_nan(e.legal.low), unsigned_nan(e.legal.high), w4::name_of(e.act),
                  e.legal.nan ? ", NaN" : "",
                  e.legal.overflow ? ", Inf and NaN besides: an intermediate may overflow" : "");
  if (!e.product) return out + "  the row has no expert: zeros, exactly\n";
  out += fmt::format("  store(y~ -+ B{}), y~ = {:.17g}, y~ - y* = {:.3g}, S = sum|a||w| = {:.9g}\n",
                     e.has_bias ? fmt::format(", bias {:.9g}", unsigned_nan(e.bias)) : "",
                     unsigned_nan(e.declared), unsigned_nan(e.declared - e.exact),
                     unsigned_nan(e.magnitude));
  out += fmt::format("  {}; {} fill\n", chain_text(e), e.random_fill ? "random" : "structured");
  if (e.terms.empty())
    return out + "  B = 0: no order of summation rounds on these numbers (reference/bound.h)\n";
  out += fmt::format("  B = {:.6g}, the sum of\n", unsigned_nan(e.b));
  for (const BoundTerm& t : e.terms) out += term_text(t, e.b);
  return out;
}

}  // namespace w4
