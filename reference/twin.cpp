#include "reference/twin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace w4 {
namespace {

using Four = double __attribute__((vector_size(32)));

Four load(const double* p) {
  Four v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

double sum(Four v) { return (v[0] + v[1]) + (v[2] + v[3]); }

// What one output channel against M rows of activations of length k gives.
struct Sums {
  double* total;
  double* magnitude;
  double* prefix;  // null: not wanted
  Sums from(int64_t row) const {
    return {total + row, magnitude + row, prefix ? prefix + row : nullptr};
  }
};

// M at most 5, so that both sets of accumulators stay in registers. PREFIX: R in steps of kBlock.
constexpr int64_t kBlock = 16;
template <int M, bool PREFIX>
void dot(const double* a, const double* w, int64_t k, const Sums& out) {
  std::array<Four, M> t{}, s{};
  std::array<double, M> r{};
  const int64_t whole = k / 4 * 4;
  for (int64_t i = 0; i < whole; i += 4) {
    const Four wi = load(w + i);
    if (PREFIX && i % kBlock == 0) {
      for (int m = 0; m < M; ++m) r[m] += std::abs(sum(t[m]));
    }
    for (int m = 0; m < M; ++m) {
      const Four p = load(a + m * k + i) * wi;
      t[m] += p;
      s[m] += __builtin_elementwise_abs(p);
    }
  }
  for (int m = 0; m < M; ++m) {
    out.total[m] = sum(t[m]);
    out.magnitude[m] = sum(s[m]);
    if (PREFIX) out.prefix[m] = r[m];
    for (int64_t i = whole; i < k; ++i) {
      const double p = a[m * k + i] * w[i];
      out.total[m] += p;
      out.magnitude[m] += p < 0 ? -p : p;
    }
  }
}

template <int M>
void dot(const double* a, const double* w, int64_t k, const Sums& out) {
  out.prefix ? dot<M, true>(a, w, k, out) : dot<M, false>(a, w, k, out);
}

void dot_rows(int64_t rows, const double* a, const double* w, int64_t k, Sums out) {
  for (; rows >= 5; rows -= 5, a += 5 * k, out = out.from(5)) dot<5>(a, w, k, out);
  switch (rows) {
    case 4:
      dot<4>(a, w, k, out);
      break;
    case 3:
      dot<3>(a, w, k, out);
      break;
    case 2:
      dot<2>(a, w, k, out);
      break;
    case 1:
      dot<1>(a, w, k, out);
      break;
    default:
      break;
  }
}

std::vector<double> widen(const Arrays& x) {
  std::vector<double> a(x.a.size());
  std::transform(x.a.begin(), x.a.end(), a.begin(),
                 [t = x.wei->act](uint16_t b) { return to_f64(t, b); });
  return a;
}

// (q - z) s without any rounding.
class Plain final : public Numerics {
 public:
  void weights(double z, double s, std::span<double, 16> out) const override {
    for (int q = 0; q < 16; ++q) out[q] = (q - z) * s;
  }
  uint16_t store(double, double, bool) const override { return 0; }
  Chain chain() const override { return {}; }
};

// Row n of the declared weights; true where one of them is not (q - z) s. A K that is not whole
// groups breaks a clause; its tail takes the last group's scale.
bool dequantise(const Weights& w, int64_t n, const Numerics& numerics, std::vector<double>& row) {
  bool rounds = false;
  const uint8_t* codes = w.q.data() + n * w.k;
  for (int64_t g = 0; g < w.groups(); ++g) {
    const double z = w.zero(n, g), s = w.scale(n, g);
    std::array<double, 16> table;
    numerics.weights(z, s, table);
    for (int q = 0; q < 16; ++q) rounds |= table[q] != (q - z) * s;
    const int64_t last = g + 1 == w.groups() ? w.k : (g + 1) * w.g;
    for (int64_t k = g * w.g; k < last; ++k) row[k] = table[codes[k]];
  }
  return rounds;
}

}  // namespace

Twin make_twin(const Arrays& x, const Numerics& numerics) {
  const Weights& w = *x.wei;
  const size_t size = static_cast<size_t>(x.m * w.n);
  Twin out{x.m, w.n, std::vector<double>(size), std::vector<double>(size),
           std::vector<double>(size)};
  const Chain chain = numerics.chain();
  const bool in_order = chain.unit == Chain::Unit::wmma && chain.chunk == kBlock;
  if (in_order) out.prefix.resize(size);
  const std::vector<double> a = widen(x);
  std::vector<double> row(static_cast<size_t>(w.k));
  std::vector<double> total(static_cast<size_t>(x.m)), magnitude(total.size()),
      prefix(total.size()), unused(total.size());
  const Sums sums{total.data(), magnitude.data(), in_order ? prefix.data() : nullptr};
  for (int64_t n = 0; n < w.n; ++n) {
    const bool rounds = dequantise(w, n, numerics, row);
    dot_rows(x.m, a.data(), row.data(), w.k, sums);
    for (int64_t m = 0; m < x.m; ++m) {
      out.declared[out.at(m, n)] = out.exact[out.at(m, n)] = total[m];
      out.magnitude[out.at(m, n)] = magnitude[m];
      if (in_order) out.prefix[out.at(m, n)] = prefix[m];
    }
    if (!rounds) continue;
    dequantise(w, n, Plain{}, row);
    dot_rows(x.m, a.data(), row.data(), w.k, {total.data(), unused.data(), nullptr});
    for (int64_t m = 0; m < x.m; ++m) out.exact[out.at(m, n)] = total[m];
  }
  return out;
}

}  // namespace w4
