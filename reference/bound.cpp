#include "reference/bound.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "reference/row_sums.h"

namespace w4 {
namespace {

constexpr double kU = 0x1p-24;
// fp32's largest finite value, less what a thousand roundings may add to a sum below it.
constexpr double kOverflow = 3.4028e38;

double gamma(double n) { return n * kU / (1 - n * kU); }

// What the terms of one B are given to: a sum, or a list of them. Terms of value 0 are none.
struct Sum {
  double b = 0;
  void add(std::string_view, std::string_view, double value) { b += value; }
  void add_least(std::string_view, std::string_view, double one, std::string_view, double other) {
    b += std::min(one, other);
  }
};
struct List {
  std::vector<BoundTerm> terms;
  void add(std::string_view name, std::string_view formula, double value) {
    if (value != 0) terms.push_back({name, formula, value});
  }
  void add_least(std::string_view name, std::string_view formula, double one,
                 std::string_view other_formula, double other) {
    if (other < one) {
      terms.push_back({name, other_formula, other, formula, one});
    } else {
      terms.push_back({name, formula, one, other_formula, other});
    }
  }
};

// Sums over the groups of one element, scales applied.
struct ElementSums {
  double t1 = 0, t2 = 0, growth = 0;  // offset trick
  double floor = 0;                   // F
  double flushed = 0;                 // results of dot2 below 2^-126
  double zeroed = 0;                  // subnormal activations read as zero
  double weights = 0;                 // subnormal weights read as zero
};

class BoundMaker {
 public:
  BoundMaker(const Arrays& x, const Chain& chain, Arithmetic arithmetic, bool random_fill)
      : w_(*x.wei), chain_(chain), model_(arithmetic), random_(random_fill) {}

  RowSums sum(const Arrays& x, int64_t m) const {
    return sum_row(x, m, scaled_after() ? std::max(1, chain_.chunk) : w_.g, adder() && offset());
  }

  // Sums before their scale; the matrix unit and fp32 fma have none.
  bool overflows(const RowSums& row) const {
    return scaled_after() &&
           (widest() * row.largest_chunk >= kOverflow || (offset() && row.infinite));
  }

  // Subnormal weights of the groups where the row has an infinite activation: 0 times it is NaN.
  bool zero_meets_infinity(const RowSums& row, int64_t n) const {
    if (!flushes() || !row.infinite) return false;
    for (int64_t i = 0; i < w_.groups(); ++i) {
      if (row.group[static_cast<size_t>(i)].infinite && std::abs(w_.scale(n, i)) < 0x1p-126)
        return true;
    }
    return false;
  }

  // Whether no order of summation rounds; see bound.h. `plain`: no weight is rounded, a rounded one
  // has more bits than its scale.
  bool exact(const RowSums& row, int64_t n, double s, bool plain) const {
    // gfx12 drops nothing where every term is a multiple of the sum's last bit; gfx11 takes a unit
    // from what opposes the accumulator. Weights that come scaled may be subnormal.
    const bool drops = model_ == Arithmetic::gfx1151 || (adder() && !scaled_after());
    if (!plain || drops || row.infinite) return false;
    int unit = kNoBit;
    for (int64_t i = 0; i < w_.groups(); ++i) {
      const double scale = w_.scale(n, i);
      if (!std::isfinite(scale)) return false;
      if (scale != 0) unit = std::min(unit, lowest_bit(scale));
    }
    // Far from fp32's denormals, whose steps and flushes are another matter.
    if (row.unit < -60 || unit < -60) return false;
    return (!scaled_after() || widest() * row.largest_chunk <= std::ldexp(1, 24 + row.unit)) &&
           s <= std::ldexp(1, 24 + row.unit + unit);
  }

  // Gives every term of B to `to`: the one place where they are computed. `prefix`: R, where the
  // twin has it.
  template <class To>
  void terms(const RowSums& row, int64_t n, double s, std::optional<double> prefix, To& to) const {
    const ElementSums e = sum_element(row, n);
    if (wmma()) {
      matrix_terms(e, s, prefix, to);
    } else if (adder()) {
      model_terms(e, s, to);
    } else if (offset()) {
      offset_terms(e, s, to);
    } else {
      fma_terms(s, to);
    }
    if (w_.act == DType::bf16) {
      to.add("flushed dot2 results", "2 x 2^-126 |s| a dot2, offset trick 144 times that",
             e.flushed);
      to.add("subnormal activations read as zero", "15 |s| sum|a| over them", e.zeroed);
      to.add("steps of denormals", "n 2^-149", chain_.steps * 0x1p-149);
      if (flushes()) {
        to.add("subnormal weights read as zero", "sum |a| |w| over them", e.weights);
        // One result for two products.
        to.add("flushed matrix steps", "n/2 2^-126", chain_.steps / 2.0 * 0x1p-126);
      }
    }
    to.add("the twin's own sum", "(K+4) 2^-53 S", static_cast<double>(w_.k + 4) * 0x1p-53 * s);
  }

 private:
  bool offset() const { return chain_.offset_trick; }
  bool wmma() const { return chain_.unit == Chain::Unit::wmma; }
  // Scales multiply sums, not weights.
  bool scaled_after() const { return chain_.unit == Chain::Unit::dot2 && chain_.chunk > 0; }
  bool adder() const { return model_ != Arithmetic::ieee && chain_.unit != Chain::Unit::fma32; }
  // The matrix unit of gfx11 on bf16: subnormal weights are zero, and so is a sum below 2^-126.
  bool flushes() const { return wmma() && model_ == Arithmetic::gfx1151 && w_.act == DType::bf16; }
  // Units of the grid that one step of the adder loses at most, and products in a step.
  double units() const {
    switch (model_) {
      case Arithmetic::gfx1151:
        return 3;
      case Arithmetic::cuda:
        return wmma() ? 31 : 1;
      default:
        return wmma() ? 7 : 4;
    }
  }
  double products() const {
    if (!wmma()) return 2;
    return model_ == Arithmetic::gfx1201 ? 4 : model_ == Arithmetic::cuda ? 16 : 2;
  }
  // The portable dot product is two fp32 fma: no grid.
  bool has_grid() const { return model_ != Arithmetic::cuda || wmma(); }
  // Largest weight inside a chunk.
  double widest() const { return offset() ? 143 : 15; }

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
      if (!scaled_after() && s < least)
        e.floor += least * (a.chunks1 + least * static_cast<double>(a.subnormals));
      if (flushes() && s < least) e.weights += std::min(15 * s, least) * a.chunks1;
      if (!bf16) continue;
      // Group of G elements: G/2 dot2 of 2 x 2^-126 each.
      e.flushed += s * g * 0x1p-126 * both_sums;
      e.zeroed += s * 15 * a.subnormal;
    }
    return e;
  }

  template <class To>
  void model_terms(const ElementSums& e, double s, To& to) const {
    const double per_step = units() + 1, n2 = chain_.chunks + 7;
    if (offset()) {
      // 1.00001: sums as computed, against sums of magnitudes.
      to.add("sums of chunks", "(units+1) u Q", kU * 1.00001 * per_step * e.growth);
      to.add("offset taken off", "u T1", kU * e.t1);
      to.add("sum of chunks", "n2 u S", kU * n2 * s);
      return;
    }
    // Weights that come scaled: one chunk, of K elements.
    const double n = chain_.steps, chunk = scaled_after() ? chain_.chunk : n;
    to.add("sums of chunks", "gamma_((units+1) A/2) S", gamma(per_step / products() * chunk) * s);
    to.add("sum of chunks", "gamma_(n-A/2) S", gamma(std::max(0.0, n - chunk / 2)) * s);
    if (has_grid()) to.add("grid of subnormal operands", "units u F", units() * kU * e.floor);
  }

  template <class To>
  void matrix_terms(const ElementSums& e, double s, std::optional<double> prefix, To& to) const {
    // Roundings that a product stands for.
    const double rho = adder() ? (units() + 1) / products() : 1;
    const double any_order = gamma(rho * chain_.steps);
    if (prefix) {
      // 1.00001: R as computed; the gamma: of sums as computed, not the twin's.
      to.add_least("matrix steps", "gamma_(rho n) S", any_order * s,
                   "(1 + gamma_(rho n)) rho A u (R + S)",
                   1.00001 * (1 + any_order) * rho * chain_.chunk * kU * (*prefix + s));
    } else {
      to.add("matrix steps", "gamma_(rho n) S", any_order * s);
    }
    if (adder()) to.add("grid of subnormal operands", "units u F", units() * kU * e.floor);
  }

  template <class To>
  void fma_terms(double s, To& to) const {
    const double n = chain_.steps;
    if (random_) {
      to.add_least("accumulation", "gamma_n S", gamma(n) * s, "6 sqrt(n) u S",
                   6 * std::sqrt(n) * kU * s);
    } else {
      to.add("accumulation", "gamma_n S", gamma(n) * s);
    }
  }

  template <class To>
  void offset_terms(const ElementSums& e, double s, To& to) const {
    const double chunk = chain_.chunk, n2 = chain_.chunks + 7;
    const double sums = (chunk + 1) * kU * e.t1;
    // T2 needs whole chunks; a chunk across groups is split above and its square underestimated.
    if (random_ && chain_.chunk > 0 && w_.g % chain_.chunk == 0) {
      to.add_least("sums of chunks", "(A+1) u T1", sums, "6 u sqrt((A+1) T2)",
                   6 * kU * std::sqrt((chunk + 1) * e.t2));
    } else {
      to.add("sums of chunks", "(A+1) u T1", sums);
    }
    if (random_) {
      to.add_least("sum of chunks", "n2 u S", n2 * kU * s, "6 sqrt(n2) u S",
                   6 * std::sqrt(n2) * kU * s);
    } else {
      to.add("sum of chunks", "n2 u S", n2 * kU * s);
    }
  }

  const Weights& w_;
  const Chain& chain_;
  Arithmetic model_;
  bool random_;
};

std::optional<double> prefix_of(const Twin& twin, size_t i) {
  if (twin.prefix.empty()) return std::nullopt;
  return twin.prefix[i];
}

}  // namespace

Bound make_bound(const Arrays& x, const Twin& twin, const Chain& chain, Arithmetic arithmetic,
                 bool random_fill) {
  Bound out{std::vector<double>(twin.declared.size()), std::vector<uint8_t>(twin.declared.size())};
  const BoundMaker maker(x, chain, arithmetic, random_fill);
  for (int64_t m = 0; m < twin.m; ++m) {
    const RowSums row = maker.sum(x, m);
    const bool row_overflows = maker.overflows(row);
    for (int64_t n = 0; n < twin.n; ++n) {
      const size_t i = twin.at(m, n);
      const double s = twin.magnitude[i];
      Sum sum;
      if (!maker.exact(row, n, s, twin.declared[i] == twin.exact[i]))
        maker.terms(row, n, s, prefix_of(twin, i), sum);
      out.b[i] = sum.b;
      out.overflow[i] = row_overflows || (std::isfinite(s) && s >= kOverflow) ||
                        maker.zero_meets_infinity(row, n);
    }
  }
  return out;
}

std::vector<BoundTerm> explain_bound(const Arrays& x, const Twin& twin, const Chain& chain,
                                     Arithmetic arithmetic, bool random_fill, int64_t m,
                                     int64_t n) {
  const BoundMaker maker(x, chain, arithmetic, random_fill);
  const RowSums row = maker.sum(x, m);
  const size_t i = twin.at(m, n);
  const double s = twin.magnitude[i];
  List list;
  if (!maker.exact(row, n, s, twin.declared[i] == twin.exact[i]))
    maker.terms(row, n, s, prefix_of(twin, i), list);
  return list.terms;
}

}  // namespace w4
