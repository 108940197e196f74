#include "oracles/classic.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reference/twin.h"

namespace w4 {
namespace {

// Pairs (y, r) that can be subtracted; the others must be alike: NaN with NaN, Inf with the same.
struct Pairs {
  std::vector<double> y, r;
  bool alike = true;
  Pairs(const Golden& g, std::span<const uint16_t> bits) {
    for (size_t i = 0; i < bits.size(); ++i) {
      const double v = to_f64(g.act, bits[i]), w = g.eigen[i];
      if (std::isfinite(v) && std::isfinite(w)) {
        y.push_back(v);
        r.push_back(w);
      } else {
        alike = alike && (v == w || (std::isnan(v) && std::isnan(w)));
      }
    }
  }
  size_t beyond(double atol, double rtol) const {
    size_t count = 0;
    for (size_t i = 0; i < y.size(); ++i)
      count += std::abs(y[i] - r[i]) > atol + rtol * std::abs(r[i]);
    return count;
  }
  template <class F>
  double sum(const F& f) const {
    double total = 0;
    for (size_t i = 0; i < y.size(); ++i) total += f(y[i], r[i]);
    return total;
  }
};

// 0 over 0 is no error.
bool at_most(double error, double scale, double limit) {
  return error == 0 || error <= limit * scale;
}

template <int kAtolE4, int kRtolE4>
bool allclose(const Golden& g, std::span<const uint16_t> y) {
  const Pairs p(g, y);
  return p.alike && p.beyond(kAtolE4 * 1e-4, kRtolE4 * 1e-4) == 0;
}

bool machete(const Golden& g, std::span<const uint16_t> y) {
  const Pairs p(g, y);
  const double atol = g.zero_points ? 1 : std::min(5e-2 * std::sqrt(static_cast<double>(g.k)), 1.0);
  return p.alike && p.beyond(atol, 1e-1) == 0;
}

bool mostly_close(const Golden& g, std::span<const uint16_t> y) {
  const Pairs p(g, y);
  return p.alike &&
         static_cast<double>(p.beyond(1e-2, 1e-2)) <= 0.05 * static_cast<double>(y.size());
}

bool mean_relative(const Golden& g, std::span<const uint16_t> y) {
  const Pairs p(g, y);
  return p.alike && at_most(p.sum([](double a, double b) { return std::abs(a - b); }),
                            p.sum([](double, double b) { return std::abs(b); }), 0.04);
}

bool max_relative(const Golden& g, std::span<const uint16_t> y) {
  const Pairs p(g, y);
  double worst = 0, largest = 0;
  for (size_t i = 0; i < p.y.size(); ++i) {
    worst = std::max(worst, std::abs(p.y[i] - p.r[i]));
    largest = std::max(largest, std::abs(p.r[i]));
  }
  return p.alike && at_most(worst, largest, 1e-2);
}

bool cosine(const Golden& g, std::span<const uint16_t> y) {
  const Pairs p(g, y);
  const double both = p.sum([](double a, double b) { return a * a + b * b; });
  return p.alike && at_most(both - 2 * p.sum([](double a, double b) { return a * b; }), both, 1e-3);
}

template <int kLimitE6>
bool squared_error(const Golden& g, std::span<const uint16_t> y) {
  const Pairs p(g, y);
  return p.alike && at_most(p.sum([](double a, double b) { return (a - b) * (a - b); }),
                            p.sum([](double, double b) { return b * b; }), kLimitE6 * 1e-6);
}

bool one_bound(const Golden& g, std::span<const uint16_t> y) {
  const double u = g.act == DType::f16 ? 0x1p-11 : 0x1p-8;
  for (size_t i = 0; i < y.size(); ++i) {
    const double v = to_f64(g.act, y[i]);
    if (!std::isfinite(v) || !std::isfinite(g.exact[i])) {
      if (std::isnan(v) != std::isnan(g.eigen[i]) || std::isinf(v) != std::isinf(g.eigen[i]))
        return false;
    } else if (std::abs(v - g.exact[i]) > u * g.magnitude[i]) {
      return false;
    }
  }
  return true;
}

// Place in the order of numbers; both zeros have one.
int ordinal(uint16_t bits) { return (bits & 0x8000) != 0 ? -(bits & 0x7fff) : bits; }

template <int kUlps>
bool ulps(const Golden& g, std::span<const uint16_t> y) {
  for (size_t i = 0; i < y.size(); ++i) {
    const double v = to_f64(g.act, y[i]), r = g.eigen[i];
    if (std::isnan(v) && std::isnan(r)) continue;
    if (std::isnan(v) || std::isnan(r)) return false;
    if (std::abs(ordinal(y[i]) - ordinal(g.eigen_bits[i])) > kUlps) return false;
  }
  return true;
}

constexpr std::array kOracles{
    Oracle{"allclose 2e-2", "|y - r| <= 2e-2 + 2e-2 |r|", "", allclose<200, 200>},
    Oracle{"allclose 1e-2", "|y - r| <= 1e-2 + 1e-2 |r|", "Triton's matrix multiplication tutorial",
           allclose<100, 100>},
    Oracle{"allclose 1e-3", "|y - r| <= 1e-3 + 1e-3 |r|", "", allclose<10, 10>},
    Oracle{"allclose by K",
           "|y - r| <= min(5e-2 sqrt(K), 1) + 1e-1 |r|; 1 for the first with zero points",
           "vLLM, Machete", machete},
    Oracle{"5 % outside 1e-2", "|y - r| <= 1e-2 + 1e-2 |r| for 95 % of the elements",
           "AITER, checkAllclose", mostly_close},
    Oracle{"mean relative 4e-2", "mean |y - r| / mean |r| < 0.04", "vLLM, Marlin", mean_relative},
    Oracle{"max relative 1e-2", "max |y - r| / max |r| <= 1e-2", "", max_relative},
    Oracle{"cosine 1e-3", "1 - 2 y.r / (y.y + r.r) < 1e-3", "DeepGEMM", cosine},
    Oracle{"NMSE 5e-4", "sum (y - r)^2 / sum r^2 <= 5e-4", "llama.cpp, test-backend-ops",
           squared_error<500>},
    Oracle{"norm 1e-3", "Frobenius norm of y - r at most 1e-3 of that of r", "", squared_error<1>},
    Oracle{"small integers", "fill=integer: y = r in every bit", "CUTLASS, oneDNN benchdnn",
           ulps<0>, true},
    Oracle{"u_T S", "|y - y*| <= u_T (S + |b|)", "", one_bound},
    Oracle{"4 ulp", "y within 4 ulp of r", "", ulps<4>},
    Oracle{"1 ulp", "y within 1 ulp of r", "", ulps<1>},
};

}  // namespace

std::span<const Oracle> classic_oracles() { return kOracles; }

std::vector<uint16_t> eigen_of(const Arrays& x) {
  if (!x.moe) return eigen_reference(x);
  const int64_t n = x.wei->n;
  std::vector<uint16_t> out(static_cast<size_t>(x.m * n));
  std::vector<int64_t> rows;
  for (int64_t e = 0; e < x.wei->experts; ++e) {
    const Arrays part = expert_problem(x, e, rows);
    if (rows.empty()) continue;
    const std::vector<uint16_t> y = eigen_reference(part);
    for (size_t i = 0; i < rows.size(); ++i)
      std::copy_n(y.begin() + static_cast<int64_t>(i) * n, n, out.begin() + rows[i] * n);
  }
  return out;
}

Golden make_golden(const Arrays& x, const Reference& right) {
  Golden g{.act = x.wei->act,
           .k = x.wei->k,
           .zero_points = !x.wei->z.empty(),
           .eigen_bits = eigen_of(x),
           .eigen = {},
           .exact = right.twin.exact,
           .magnitude = right.twin.magnitude};
  for (const uint16_t bits : g.eigen_bits) g.eigen.push_back(to_f64(g.act, bits));
  for (int64_t m = 0; m < x.m; ++m) {
    for (int64_t n = 0; n < x.wei->n; ++n) {
      const double b = x.promises(m) ? x.bias_at(m, n) : 0;
      g.exact[right.twin.at(m, n)] += b;
      g.magnitude[right.twin.at(m, n)] += std::abs(b);
    }
  }
  return g;
}

}  // namespace w4
