#include "verify/explain/recipe.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "core/fill.h"
#include "verify/materialise.h"
#include "verify/operands.h"

namespace w4::explain {
namespace {

// Exponent of the lowest set bit.
int lowest_bit(double v) {
  const auto bits = std::bit_cast<uint64_t>(v);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const uint64_t fraction = (bits & ((uint64_t{1} << 52) - 1)) | (uint64_t{exponent != 0} << 52);
  return std::max(exponent, 1) - 1075 + std::countr_zero(fraction);
}

constexpr double kUnit = 0x1p-24;

}  // namespace

Recipe declared_recipe(const Observed& o) {
  const Arrays* x = &o.x;
  const Weights* w = x->wei.get();
  const ModuleNumerics* numerics = &o.numerics;
  const int64_t k_all = w->k, g_size = w->g;
  const DType t = w->act;
  return {
      .code = [w, k_all](int64_t r, int64_t k) -> double {
        return w->q[static_cast<size_t>(r * k_all + k)];
      },
      .zero = [w, g_size](int64_t r, int64_t k) { return w->zero(r, k / g_size); },
      .scale = [w, g_size](int64_t r, int64_t k) { return w->scale(r, k / g_size); },
      .act = [x, k_all, t](
                 int64_t m,
                 int64_t k) { return to_f64(t, x->a[static_cast<size_t>(m * k_all + k)]); },
      .bias = [x](int64_t m, int64_t n) { return x->bias_at(m, n); },
      .expert = [x](int64_t m) -> int64_t {
        return x->moe ? x->moe->expert[static_cast<size_t>(m)] : 0;
      },
      .from = [](int64_t m, int64_t n) { return Element{m, n}; },
      .weight = [numerics](double q, double z, double s) { return numerics->weight(q, z, s); },
      .store = [x, numerics](double acc,
                             double bias) { return numerics->store(acc, bias, x->has_bias()); }};
}

Prediction::Prediction(const Observed& o, const Recipe& r)
    : o_(o),
      r_(r),
      chain_(o.numerics.chain()),
      terms_(static_cast<size_t>(o.m())),
      have_(static_cast<size_t>(o.m())),
      weight_(static_cast<size_t>(o.k())),
      size_(weight_.size()),
      made_for_(weight_.size(), -1) {}

void Prediction::Sums::add(double product, double with_offset, int64_t in_chunk) {
  sum += product;
  magnitude += std::abs(product);
  if (in_chunk != chunk) end();
  chunk = in_chunk;
  part += with_offset;
}

void Prediction::Sums::end() {
  offset += part;
  squares += part * part;
  part = 0;
}

// As reference/bound.h has it for random and for structured fills, with a plain worst case for
// matrix steps.
double Prediction::bound(const Sums& s) const {
  const bool random = is_random(o_.line.fill) && chain_.unit != Chain::Unit::wmma;
  const auto steps = [&](double n) {
    const double worst = n * kUnit / (1 - n * kUnit);
    return random ? std::min(worst, 6 * std::sqrt(n) * kUnit) : worst;
  };
  const double twin = static_cast<double>(o_.k()) * 0x1p-53 * s.magnitude;
  if (!chain_.offset_trick) return steps(chain_.steps) * s.magnitude + twin;
  const double each = chain_.chunk + 1;
  double offset = each * kUnit * s.offset;
  if (random) offset = std::min(offset, 6 * kUnit * std::sqrt(each * s.squares));
  return offset + steps(chain_.chunks + 7) * s.magnitude + twin;
}

const std::vector<Prediction::Term>& Prediction::terms_of(int64_t m) {
  const auto i = static_cast<size_t>(m);
  if (have_[i] == 0) {
    have_[i] = 1;
    for (int64_t k = 0; k < o_.k(); ++k) {
      const double a = r_.act(m, k);
      if (a != 0) terms_[i].push_back({k, a});
    }
  }
  return terms_[i];
}

std::pair<double, double> Prediction::short_sum_of(const std::vector<Term>& terms,
                                                   int64_t row) const {
  std::vector<Product> all;
  for (const Term& t : terms) {
    all.push_back({t.k, t.a, weight_[static_cast<size_t>(t.k)],
                   r_.code(row, t.k) - r_.zero(row, t.k), r_.scale(row, t.k)});
  }
  return short_sum(r_.short_sums, all, o_.x.wei->act, chain_.steps * kUnit);
}

Predicted Prediction::at(int64_t m, int64_t n) {
  const Element from = r_.from(m, n);
  if (from.m == kUnwritten.m) return {.kind = Predicted::Kind::unwritten};
  if (from.m == kNowhere.m) return {.kind = Predicted::Kind::unknown};
  const double bias = r_.bias(from.m, from.n);
  if (std::isnan(bias)) return {.kind = Predicted::Kind::unknown};
  const int64_t expert = r_.expert(from.m);
  const DType t = o_.x.wei->act;
  if (expert < 0) return {.exact = true};
  const int64_t row = expert * o_.n() + from.n;
  Sums sums;
  int unit = 2000;
  for (const Term& term : terms_of(from.m)) {
    const auto i = static_cast<size_t>(term.k);
    if (made_for_[i] != row) {
      made_for_[i] = row;
      const double z = r_.zero(row, term.k), s = r_.scale(row, term.k);
      const double q = r_.code(row, term.k);
      weight_[i] = std::isnan(q) || std::isnan(z) || std::isnan(s) ? kUnknown : r_.weight(q, z, s);
      size_[i] = std::abs(s) * (256 + q + std::abs(z));
    }
    const double product = term.a * weight_[i];
    if (std::isnan(product)) return {.kind = Predicted::Kind::unknown};
    sums.add(product, std::abs(term.a) * size_[i], term.k / std::max(chain_.chunk, 1));
    if (product != 0) unit = std::min(unit, lowest_bit(product));
  }
  sums.end();
  const double largest = chain_.offset_trick ? sums.offset : sums.magnitude;
  Predicted out;
  out.exact = o_.slack == 1 && r_.short_sums.chunk == 0 && std::ldexp(largest, -unit) <= 0x1p24;
  double low = sums.sum, high = sums.sum;
  if (r_.short_sums.chunk > 0) {
    std::tie(low, high) = short_sum_of(terms_of(from.m), row);
  } else if (!out.exact) {
    const double b = o_.slack * bound(sums);
    low -= b, high += b;
  }
  out.low = to_f64(t, r_.store(low, bias));
  out.high = to_f64(t, r_.store(high, bias));
  if (out.low > out.high) std::swap(out.low, out.high);
  if (std::isnan(out.low) || std::isnan(out.high)) out.kind = Predicted::Kind::unknown;
  return out;
}

bool fits(const Predicted& p, DType t, uint16_t bits) {
  switch (p.kind) {
    case Predicted::Kind::unknown:
      return true;
    case Predicted::Kind::unwritten:
      return bits == poison_bits(to_module(t));
    case Predicted::Kind::value:
      break;
  }
  const double y = to_f64(t, bits);
  return p.low <= y && y <= p.high;
}

}  // namespace w4::explain
