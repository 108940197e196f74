#include "oracles/simulation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cmath>
#include <span>

#include "rdna/isa/dot2.h"

namespace w4 {
namespace {

constexpr size_t kLanes = 32;
constexpr int64_t kStep = 16;  // of the matrix unit along K
// Elements of a lane between two others', where no scale says so: as skinny kernels have it.
constexpr int64_t kScaledChunk = 8;
constexpr std::array<int64_t, 4> kGfx1201First{0, 8, 4, 12};  // of its steps of four

uint16_t narrow(DType t, float v) { return t == DType::f16 ? f32_to_f16(v) : f32_to_bf16(v); }
float rounded(DType t, float v) { return static_cast<float>(to_f64(t, narrow(t, v))); }

uint16_t cut_off(DType t, double v) {
  const uint16_t near = from_f64(t, v);
  // A nearest value beyond v is one step too far out.
  return std::abs(to_f64(t, near)) > std::abs(v) ? static_cast<uint16_t>(near - 1) : near;
}

// 1 + u_T is a tie; a bias far below a step decides it only in fp32.
bool rounds_once(const Numerics& numerics, DType t) {
  const double u = t == DType::f16 ? 0x1p-11 : 0x1p-8;
  return to_f64(t, numerics.store(1 + u, 0x1p-20, true)) > 1;
}

// fl((q - z) s): rounded, and not taken apart.
bool rounds_product(const Numerics& numerics, DType t) {
  std::array<double, 16> w;
  // 15 s does not fit, and fl(15 s) - fl(14 s) is not s.
  const double s = t == DType::f16 ? 1 + 0x1p-10 : 1 + 0x1p-7;
  numerics.weights(0, s, w);
  const bool rounds = w[15] != 15 * s;
  numerics.weights(14, s, w);
  return rounds && w[15] == s;
}

// A step of NVIDIA's matrix unit from compute capability 9.0 on: sixteen products and the
// accumulator are cut off on one grid, 24 bits below the exponent of the largest (of a product: the
// sum of its operands' exponents); their exact sum is cut off to fp32. Infinities and NaN: IEEE.
float cuda_step(std::span<const double, 16> a, std::span<const double, 16> b, float acc) {
  int top = acc == 0 ? INT_MIN : std::ilogb(acc);
  double plain = acc;
  for (size_t k = 0; k < a.size(); ++k) {
    plain += a[k] * b[k];
    if (a[k] != 0 && b[k] != 0) top = std::max(top, std::ilogb(a[k]) + std::ilogb(b[k]));
  }
  if (!std::isfinite(plain)) return static_cast<float>(plain);
  if (top == INT_MIN) return 0;
  const int unit = top - 24;
  // Below 2^31 in units: the sum is exact.
  double sum = std::trunc(std::ldexp(acc, -unit));
  for (size_t k = 0; k < a.size(); ++k) sum += std::trunc(std::ldexp(a[k] * b[k], -unit));
  const double exact = std::ldexp(sum, unit);
  const auto near = static_cast<float>(exact);
  return std::abs(static_cast<double>(near)) > std::abs(exact) ? std::nextafter(near, 0.0f) : near;
}

struct Simulation {
  const Arrays& x;
  const Weights& w;
  const Numerics& numerics;
  const Chain chain;
  const Arithmetic model;
  const int64_t chunk;
  const Breach breach;
  const DType t;
  // Of the row at hand.
  int64_t row_of_weights = 0;  // first row of the expert's weights
  const uint16_t* act = nullptr;
  const float* act_sums = nullptr;  // of the chunks, offset trick
  // Of the output channel at hand, [K]: what the unit multiplies.
  std::vector<uint16_t> weight{};
  std::vector<float> wide{};  // fma32: more bits than T has

  Simulation(const Arrays& arrays, const Numerics& declared, const Carried& how, Breach b)
      : x(arrays),
        w(*arrays.wei),
        numerics(declared),
        chain(declared.chain()),
        model(how.arithmetic),
        chunk(how.chunk > 0     ? how.chunk
              : chain.chunk > 0 ? chain.chunk
                                : kScaledChunk),
        breach(b),
        t(w.act) {}

  rdna::DotType type() const { return t == DType::f16 ? rdna::DotType::f16 : rdna::DotType::bf16; }
  double value(uint16_t bits) const { return to_f64(t, bits); }

  float dot2(uint16_t a0, uint16_t b0, uint16_t a1, uint16_t b1, float c) const {
    const auto acc = std::bit_cast<uint32_t>(c);
    if (model == Arithmetic::gfx1151)
      return std::bit_cast<float>(rdna::dot2_gfx1151(type(), a0, b0, a1, b1, acc));
    if (model == Arithmetic::gfx1201)
      return std::bit_cast<float>(
          rdna::dot_gfx1201(type(), std::array{a0, a1}, std::array{b0, b1}, acc));
    if (model == Arithmetic::cuda) {
      const auto f = [&](uint16_t bits) { return static_cast<float>(value(bits)); };
      return std::fma(f(a1), f(b1), std::fma(f(a0), f(b0), c));
    }
    const auto flush = [&](double v) { return t == DType::bf16 && std::abs(v) < 0x1p-126 ? 0 : v; };
    const float sum = rdna::dot2_ieee(flush(value(a0)) * flush(value(b0)),
                                      flush(value(a1)) * flush(value(b1)), c);
    return static_cast<float>(flush(sum));
  }

  // One step of 16 of the matrix unit.
  float matrix_step(const uint16_t* a, const uint16_t* b, float sum) const {
    if (model == Arithmetic::gfx1151) {
      for (int64_t k = 0; k < kStep; k += 2) sum = dot2(a[k], b[k], a[k + 1], b[k + 1], sum);
      return sum;
    }
    if (model == Arithmetic::gfx1201) {
      for (const int64_t k : kGfx1201First)
        sum = std::bit_cast<float>(rdna::dot_gfx1201(
            type(), std::span(a + k, 4), std::span(b + k, 4), std::bit_cast<uint32_t>(sum)));
      return sum;
    }
    if (model == Arithmetic::cuda) {
      std::array<double, kStep> left, right;
      std::transform(a, a + kStep, left.begin(), [&](uint16_t bits) { return value(bits); });
      std::transform(b, b + kStep, right.begin(), [&](uint16_t bits) { return value(bits); });
      return cuda_step(left, right, sum);
    }
    for (int64_t k = 0; k < kStep; ++k) {
      sum = std::fma(static_cast<float>(value(a[k])), static_cast<float>(value(b[k])), sum);
    }
    return sum;
  }

  int64_t group(int64_t k) const { return std::min(k / w.g, w.groups() - 1); }

  double other_weight(double q, double z, double s) const {
    const auto fl = [&](double v) { return value(from_f64(t, v)); };
    if (rounds_product(numerics, t)) return fl(fl(q * s) + fl(-z * s));
    return fl((q - z) * s);
  }

  // The values that multiply the activations where the code is q, of group g of channel n.
  std::array<double, 16> table(int64_t n, int64_t g) const {
    const double z = w.zero(row_of_weights + n, g), s = w.scale(row_of_weights + n, g);
    std::array<double, 16> out;
    numerics.weights(z, scaled_after() ? 1 : s, out);
    for (size_t q = 0; q < 16; ++q) {
      const auto code = static_cast<double>(q);
      if (offset()) out[q] = 128 + code;
      if (breach == Breach::other_weight) out[q] = other_weight(code, z, s);
      if (breach == Breach::truncated_weight) out[q] = value(cut_off(t, (code - z) * s));
    }
    return out;
  }
  // The scale multiplies an fp32 sum.
  bool scaled_after() const {
    return chain.unit == Chain::Unit::dot2 && chain.chunk > 0 && breach != Breach::other_weight;
  }
  bool offset() const { return chain.offset_trick && breach != Breach::other_weight; }

  void read_channel(int64_t n) {
    const bool fma = chain.unit == Chain::Unit::fma32;
    (fma ? weight.clear() : wide.clear());
    weight.resize(fma ? 0 : static_cast<size_t>(w.k));
    wide.resize(fma ? static_cast<size_t>(w.k) : 0);
    const uint8_t* codes = w.q.data() + (row_of_weights + n) * w.k;
    for (int64_t g = 0; g < w.groups(); ++g) {
      const std::array<double, 16> values = table(n, g);
      const int64_t last = g + 1 == w.groups() ? w.k : (g + 1) * w.g;
      for (int64_t k = g * w.g; k < last; ++k) {
        if (fma) {
          wide[k] = static_cast<float>(values[codes[k]]);
        } else {
          weight[k] = from_f64(t, values[codes[k]]);
        }
      }
    }
  }

  // [K/A] of each row of act.
  std::vector<float> sum_chunks() const {
    std::vector<float> out;
    if (!offset()) return out;
    const uint16_t one = from_f64(t, 1);
    for (int64_t m = 0; m < x.m; ++m) {
      const uint16_t* row = x.a.data() + m * w.k;
      for (int64_t c = 0; c < w.k; c += chunk) {
        float sum = 0;
        for (int64_t k = c; k < c + chunk; k += 2) sum = dot2(row[k], one, row[k + 1], one, sum);
        out.push_back(breach == Breach::half_act_sum ? rounded(t, sum) : sum);
      }
    }
    return out;
  }

  float by_dot2(int64_t n) const {
    std::array<float, kLanes> lane{};
    for (int64_t c = 0; c < w.k / chunk; ++c) {
      float& sum = lane[static_cast<size_t>(c) % kLanes];
      const bool one_chain = chain.chunk == 0;
      float partial = one_chain ? sum : 0;
      for (int64_t k = c * chunk; k < (c + 1) * chunk; k += 2)
        partial = dot2(act[k], weight[k], act[k + 1], weight[k + 1], partial);
      const int64_t g = group(c * chunk);
      if (offset())
        partial = std::fma(-static_cast<float>(128 + w.zero(row_of_weights + n, g)), act_sums[c],
                           partial);
      if (breach == Breach::half_partial) partial = rounded(t, partial);
      const auto s = static_cast<float>(w.scale(row_of_weights + n, g));
      sum = one_chain ? partial : std::fma(partial, scaled_after() ? s : 1.0f, sum);
      if (breach == Breach::half_accumulator) sum = rounded(t, sum);
    }
    if (breach == Breach::half_split)
      for (float& sum : lane) sum = rounded(t, sum);
    for (size_t half = 8; half > 0; half /= 2) {
      for (size_t l = 0; l < half; ++l) {
        lane[l] += lane[l + half];
        lane[16 + l] += lane[16 + l + half];
      }
    }
    return lane[0] + lane[16];
  }

  float between(int64_t first, int64_t last) const {
    float sum = 0;
    for (int64_t k = first; k < last; k += kStep) {
      if (chain.unit == Chain::Unit::wmma) {
        sum = matrix_step(act + k, weight.data() + k, sum);
      } else {
        for (int64_t i = k; i < std::min(k + kStep, last); ++i)
          sum = std::fma(static_cast<float>(value(act[i])), wide[i], sum);
      }
      if (breach == Breach::half_accumulator) sum = rounded(t, sum);
    }
    return sum;
  }

  float sum_of(int64_t n) const {
    if (chain.unit == Chain::Unit::dot2) return by_dot2(n);
    if (breach != Breach::half_split) return between(0, w.k);
    const int64_t half = w.k / 2 / kStep * kStep;
    return rounded(t, between(0, half)) + rounded(t, between(half, w.k));
  }

  uint16_t store(float sum, int64_t m, int64_t n) const {
    const bool has = x.has_bias();
    const double bias = x.bias_at(m, n);
    const bool once = rounds_once(numerics, t) != (breach == Breach::other_store);
    if (breach == Breach::truncating_store) {
      if (once) return cut_off(t, has ? sum + static_cast<float>(bias) : sum);
      return has ? cut_off(t, value(narrow(t, sum)) + bias) : cut_off(t, sum);
    }
    if (breach != Breach::other_store) return numerics.store(sum, bias, has);
    if (once) return narrow(t, has ? sum + static_cast<float>(bias) : sum);
    return has ? from_f64(t, value(narrow(t, sum)) + bias) : narrow(t, sum);
  }

  std::vector<uint16_t> run() {
    std::vector<uint16_t> out(static_cast<size_t>(x.m * w.n));
    const std::vector<float> sums = sum_chunks();
    for (int64_t n = 0; n < w.n; ++n) {
      int64_t have = -1;  // whose weights are read
      for (int64_t m = 0; m < x.m; ++m) {
        if (!x.promises(m)) continue;
        row_of_weights = x.moe ? x.moe->expert[static_cast<size_t>(m)] * w.n : 0;
        if (have != row_of_weights) read_channel(n);
        have = row_of_weights;
        act = x.a.data() + m * w.k;
        act_sums = sums.empty() ? nullptr : sums.data() + m * (w.k / chunk);
        out[static_cast<size_t>(m * w.n + n)] = store(sum_of(n), m, n);
      }
    }
    return out;
  }
};

}  // namespace

bool applies(Breach b, const Numerics& numerics) {
  const Chain chain = numerics.chain();
  switch (b) {
    case Breach::half_partial:
      return chain.unit == Chain::Unit::dot2 && chain.chunk > 0;
    case Breach::half_act_sum:
      return chain.offset_trick;
    case Breach::truncated_weight:
      return chain.unit == Chain::Unit::wmma ||
             (chain.unit == Chain::Unit::dot2 && chain.chunk == 0);
    default:
      return true;
  }
}

std::vector<uint16_t> simulate(const Arrays& x, const Numerics& numerics, const Carried& how,
                               Breach breach) {
  return Simulation(x, numerics, how, breach).run();
}

}  // namespace w4
