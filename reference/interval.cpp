#include "reference/interval.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace w4 {
namespace {

constexpr double kU = 0x1p-24;
constexpr double kInf = std::numeric_limits<double>::infinity();
// fp32's largest finite value, less what a thousand roundings may add to a sum below it.
constexpr double kOverflow = 3.4028e38;

double gamma(double n) { return n * kU / (1 - n * kU); }

// Sums over each group of one activation row: everything B needs that is not S.
struct GroupSums {
  double chunks1 = 0;    // sum over chunks of P_c = sum|a| of the chunk
  double chunks2 = 0;    // sum of P_c^2
  double growth = 0;     // sum over chunks and dot2 of the 2j largest |a|
  double subnormal = 0;  // sum |a| over subnormal a
  int64_t subnormals = 0;
};

// Exponent of the lowest set bit: v is an odd multiple of 2^lowest_bit(v). v is finite, not zero.
int lowest_bit(double v) {
  int e = 0;
  const double fraction = std::frexp(std::abs(v), &e);
  return e - 53 + std::countr_zero(static_cast<uint64_t>(std::ldexp(fraction, 53)));
}

constexpr int kNoBit = 4096;  // of nothing but zeros

struct RowSums {
  std::vector<GroupSums> group;  // [K/G]
  double largest_chunk = 0;      // max P_c over finite activations
  bool infinite = false;
  int unit = kNoBit;  // every activation is a multiple of 2^unit
};

// Sum over j of the 2j largest: no order and no pairing of the chunk makes its sums grow faster.
double growth_of(std::vector<double>& sizes) {
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  double sum = 0, prefix = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    prefix += sizes[i];
    if (i % 2 == 1 || i + 1 == sizes.size()) sum += prefix;
  }
  return sum;
}

RowSums sum_row(const Arrays& x, int64_t m, int64_t chunk, bool growth) {
  std::vector<double> sizes;
  const Weights& w = *x.wei;
  RowSums out{std::vector<GroupSums>(static_cast<size_t>(w.groups()))};
  const double smallest_normal = w.act == DType::f16 ? 0x1p-14 : 0x1p-126;
  for (int64_t g = 0; g < w.groups(); ++g) {
    GroupSums& sums = out.group[static_cast<size_t>(g)];
    const int64_t last = g + 1 == w.groups() ? w.k : (g + 1) * w.g;
    for (int64_t c = g * w.g; c < last; c += chunk) {
      double p = 0;
      sizes.clear();
      for (int64_t k = c; k < std::min(c + chunk, last); ++k) {
        const double a = std::abs(to_f64(w.act, x.a[static_cast<size_t>(m * w.k + k)]));
        if (!std::isfinite(a)) {
          out.infinite = true;
          continue;
        }
        p += a;
        if (a > 0) out.unit = std::min(out.unit, lowest_bit(a));
        sizes.push_back(a);
        if (a < smallest_normal && a > 0) {
          sums.subnormal += a;
          ++sums.subnormals;
        }
      }
      sums.chunks1 += p;
      if (growth) sums.growth += growth_of(sizes);
      sums.chunks2 += p * p;
      out.largest_chunk = std::max(out.largest_chunk, p);
    }
  }
  return out;
}

// Sums over the groups of one element, scales applied.
struct ElementSums {
  double t1 = 0, t2 = 0, growth = 0;  // offset trick
  double floor = 0;                   // F
  double absolute = 0;                // flushed denormals
};

class BoundMaker {
 public:
  BoundMaker(const Arrays& x, const Chain& chain, Arithmetic arithmetic, bool random_fill)
      : w_(*x.wei), chain_(chain), model_(arithmetic), random_(random_fill) {}

  // Whether no order of summation rounds; see interval.h.
  bool exact(const RowSums& row, int64_t n, double s) const {
    // gfx12 drops nothing where every term is a multiple of the sum's last bit; gfx11 takes a unit
    // from what opposes the accumulator. Weights of a matrix instruction may be subnormal.
    const bool drops = model_ == Arithmetic::gfx1151 || (adder() && wmma());
    if (drops || row.infinite) return false;
    int unit = kNoBit;
    for (int64_t i = 0; i < w_.groups(); ++i) {
      const double scale = w_.scale(n, i);
      if (!std::isfinite(scale)) return false;
      if (scale != 0) unit = std::min(unit, lowest_bit(scale));
    }
    // Far from fp32's denormals, whose steps and flushes are another matter.
    if (row.unit < -60 || unit < -60) return false;
    return widest() * row.largest_chunk <= std::ldexp(1, 24 + row.unit) &&
           s <= std::ldexp(1, 24 + row.unit + unit);
  }
  // Largest weight inside a chunk.
  double widest() const { return offset() ? 143 : 15; }

  bool wants_growth() const { return adder() && offset(); }

  double bound(const RowSums& row, int64_t n, double s) const {
    const ElementSums e = sum_element(row, n);
    return accumulation(e, s) + e.absolute + static_cast<double>(w_.k + 4) * 0x1p-53 * s;
  }

 private:
  bool offset() const { return chain_.offset_trick; }
  bool wmma() const { return chain_.unit == Chain::Unit::wmma; }
  bool adder() const { return model_ != Arithmetic::ieee && chain_.unit != Chain::Unit::fma32; }
  // The matrix unit of gfx11 on bf16: subnormal weights are zero, and so is a sum below 2^-126.
  bool flushes() const { return wmma() && model_ == Arithmetic::gfx1151 && w_.act == DType::bf16; }
  // Units of the grid that one step of the adder loses at most, and products in a step.
  double units() const { return model_ == Arithmetic::gfx1151 ? 3 : wmma() ? 7 : 4; }
  double products() const { return model_ == Arithmetic::gfx1201 && wmma() ? 4 : 2; }

  ElementSums sum_element(const RowSums& row, int64_t n) const {
    ElementSums e;
    const bool bf16 = w_.act == DType::bf16;
    if (!offset() && !adder() && !bf16) return e;
    const double both_sums = offset() ? 1 + 143 : 1;
    const auto g = static_cast<double>(w_.g);
    for (int64_t i = 0; i < w_.groups(); ++i) {
      const GroupSums& a = row.group[static_cast<size_t>(i)];
      const double s = std::abs(w_.scale(n, i));
      if (offset()) {
        const double t = s * (128 + 15 + 128 + w_.zero(n, i));
        e.t1 += t * a.chunks1;
        e.t2 += t * t * a.chunks2;
        e.growth += t * a.growth;
      }
      const double least = bf16 ? 0x1p-126 : 0x1p-14;
      e.floor += 1.001 * s * least * 15 * static_cast<double>(a.subnormals);
      if (wmma() && s < least)
        e.floor += least * (a.chunks1 + least * static_cast<double>(a.subnormals));
      if (flushes() && s < least) e.absolute += std::min(15 * s, least) * a.chunks1;
      // Group of G elements: G/2 dot2 of 2 x 2^-126 each.
      if (bf16) e.absolute += s * (g * 0x1p-126 * both_sums + 15 * a.subnormal);
    }
    if (bf16) e.absolute += chain_.steps * 0x1p-149;
    if (flushes()) e.absolute += chain_.steps / 2.0 * 0x1p-126;  // one result for two products
    return e;
  }

  double accumulation(const ElementSums& e, double s) const {
    const double n = chain_.steps, chunk = chain_.chunk, n2 = chain_.chunks + 7;
    if (adder()) {
      const double per_step = units() + 1;
      // 1.00001: sums as computed, against sums of magnitudes.
      if (offset()) return kU * (1.00001 * per_step * e.growth + e.t1 + n2 * s);
      const double in_steps = wmma() ? n : chunk, after = wmma() ? 0 : std::max(0.0, n - chunk / 2);
      return (gamma(per_step / products() * in_steps) + gamma(after)) * s + units() * kU * e.floor;
    }
    if (!offset()) {
      const bool walk = random_ && chain_.unit != Chain::Unit::wmma;
      return (walk ? std::min(gamma(n), 6 * std::sqrt(n) * kU) : gamma(n)) * s;
    }
    double sums = (chunk + 1) * kU * e.t1, rest = n2;
    if (random_) {
      // t2 needs whole chunks; a chunk across groups is split above and its square underestimated.
      if (chain_.chunk > 0 && w_.g % chain_.chunk == 0) {
        sums = std::min(sums, 6 * kU * std::sqrt((chunk + 1) * e.t2));
      }
      rest = std::min(n2, 6 * std::sqrt(n2));
    }
    return sums + rest * kU * s;
  }

  const Weights& w_;
  const Chain& chain_;
  Arithmetic model_;
  bool random_;
};

double stored(DType t, const Numerics& numerics, double acc, double bias, bool has_bias) {
  return to_f64(t, numerics.store(acc, bias, has_bias));
}

}  // namespace

Bound make_bound(const Arrays& x, const Twin& twin, const Chain& chain, Arithmetic arithmetic,
                 bool random_fill) {
  Bound out{std::vector<double>(twin.declared.size()), std::vector<uint8_t>(twin.declared.size())};
  const BoundMaker maker(x, chain, arithmetic, random_fill);
  for (int64_t m = 0; m < twin.m; ++m) {
    const RowSums row = sum_row(x, m, std::max(1, chain.chunk), maker.wants_growth());
    const double widest = chain.offset_trick ? 143 : 15;
    const bool row_overflows =
        widest * row.largest_chunk >= kOverflow || (chain.offset_trick && row.infinite);
    for (int64_t n = 0; n < twin.n; ++n) {
      const size_t i = twin.at(m, n);
      const double s = twin.magnitude[i];
      // A rounded weight has more bits than its scale.
      const bool plain = twin.declared[i] == twin.exact[i];
      out.b[i] = plain && maker.exact(row, n, s) ? 0 : maker.bound(row, n, s);
      out.overflow[i] = row_overflows || (std::isfinite(s) && s >= kOverflow);
    }
  }
  return out;
}

bool Legal::contains(double y) const {
  if (std::isnan(y)) return nan || overflow;
  if (nan) return false;
  return (low <= y && y <= high) || (overflow && std::isinf(y));
}

Legal legal_values(DType t, const Numerics& numerics, double declared, double b, bool overflow,
                   double bias, bool has_bias) {
  Legal out;
  out.overflow = overflow;
  // An infinite sum has no interval round it.
  const double reach = std::isfinite(declared) ? b : 0;
  out.low = stored(t, numerics, declared - reach, bias, has_bias);
  out.high = stored(t, numerics, declared + reach, bias, has_bias);
  out.nan = std::isnan(out.low) || std::isnan(out.high);
  return out;
}

double needed_error(DType t, const Numerics& numerics, double declared, double b, double bias,
                    bool has_bias, double y) {
  const double centre = stored(t, numerics, declared, bias, has_bias);
  if (y == centre || (std::isnan(y) && std::isnan(centre))) return 0;
  if (std::isnan(y) || std::isnan(centre) || !std::isfinite(declared)) return kInf;
  const double sign = y > centre ? 1 : -1;
  const auto reaches = [&](double d) {
    const double v = stored(t, numerics, declared + sign * d, bias, has_bias);
    return sign > 0 ? v >= y : v <= y;
  };
  double high = std::max({b, std::abs(declared) * 0x1p-30, 0x1p-140});
  while (!reaches(high)) {
    high *= 2;
    if (!std::isfinite(high)) return kInf;
  }
  double low = 0;
  for (int i = 0; i < 40; ++i) {
    const double middle = low + (high - low) / 2;
    (reaches(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace w4
