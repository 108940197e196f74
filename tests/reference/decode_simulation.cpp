#include "tests/reference/decode_simulation.h"

#include <array>
#include <bit>
#include <cmath>

#include "rdna/isa/dot2.h"

namespace w4::test {
namespace {

constexpr int64_t kChunk = 16, kLanes = 32;

uint16_t narrow(DType t, float v) { return t == DType::f16 ? f32_to_f16(v) : f32_to_bf16(v); }

uint16_t truncate(DType t, float v) {
  const uint16_t near = narrow(t, v);
  // A nearest value beyond v is one step too far out.
  return std::abs(to_f64(t, near)) > std::abs(double{v}) ? static_cast<uint16_t>(near - 1) : near;
}

struct Simulation {
  const Arrays& x;
  const Weights& w;
  Arithmetic arithmetic;
  Breach breach;

  float dot2(uint16_t a0, uint16_t b0, uint16_t a1, uint16_t b1, float c) const {
    const DType t = w.act;
    if (arithmetic == Arithmetic::gfx1151) {
      const auto type = t == DType::f16 ? rdna::DotType::f16 : rdna::DotType::bf16;
      return std::bit_cast<float>(
          rdna::dot2_gfx1151(type, a0, b0, a1, b1, std::bit_cast<uint32_t>(c)));
    }
    if (arithmetic == Arithmetic::gfx1201) {
      const auto type = t == DType::f16 ? rdna::DotType::f16 : rdna::DotType::bf16;
      return std::bit_cast<float>(rdna::dot_gfx1201(type, std::array{a0, a1}, std::array{b0, b1},
                                                    std::bit_cast<uint32_t>(c)));
    }
    const auto flush = [&](double v) { return t == DType::bf16 && std::abs(v) < 0x1p-126 ? 0 : v; };
    const auto sum = static_cast<float>(flush(to_f64(t, a0)) * to_f64(t, b0) +
                                        flush(to_f64(t, a1)) * to_f64(t, b1) + c);
    return static_cast<float>(flush(sum));
  }

  uint16_t act(int64_t m, int64_t k) const {
    if (breach == Breach::dropped_last_k && k == w.k - 1) return 0;
    if (breach == Breach::stale_activation && k == w.k / 3) k -= 1;
    return x.a[static_cast<size_t>(m * w.k + k)];
  }

  // Sum of one chunk of 16, scaled, onto the lane's sum.
  float add_chunk(int64_t m, int64_t n, int64_t k0, float sum) const {
    const DType t = w.act;
    const int64_t g = k0 / w.g, last = w.groups() - 1;
    const bool hurt = g == last / 2;
    const double z = w.zero(n, g) + (breach == Breach::zero_point_plus_1 && hurt ? 1 : 0);
    const int64_t from = breach == Breach::neighbour_scale && hurt ? (g < last ? g + 1 : 0) : g;
    const auto s = static_cast<float>(w.scale(n, from));
    const bool rounded = breach == Breach::rounded_weight;
    const bool offset = t == DType::bf16 && !rounded;
    const double base = offset ? 128 : -z;
    const uint16_t one = from_f64(t, 1);
    float partial = 0, total = 0;
    for (int64_t k = k0; k < k0 + kChunk; k += 2) {
      std::array<uint16_t, 2> b;
      for (int i = 0; i < 2; ++i) {
        const double v = w.q[static_cast<size_t>(n * w.k + k + i)] + base;
        b[i] = from_f64(t, rounded ? v * s : v);
      }
      partial = dot2(act(m, k), b[0], act(m, k + 1), b[1], partial);
      if (offset) total = dot2(act(m, k), one, act(m, k + 1), one, total);
    }
    if (offset) partial = std::fma(-(128 + static_cast<float>(z)), total, partial);
    sum = std::fma(partial, rounded ? 1.0f : s, sum);
    return breach == Breach::half_accumulator ? static_cast<float>(to_f64(t, narrow(t, sum))) : sum;
  }

  uint16_t element(int64_t m, int64_t n) const {
    std::array<float, kLanes> lane{};
    for (int64_t k = 0; k < w.k; k += kChunk) {
      float& sum = lane[static_cast<size_t>(k / kChunk % kLanes)];
      sum = add_chunk(m, n, k, sum);
    }
    for (size_t half = 16; half > 0; half /= 2) {
      for (size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
    }
    float sum = lane[0];
    if (breach == Breach::rounded_twice)
      sum = static_cast<float>(to_f64(w.act, narrow(w.act, sum)));
    if (x.has_bias()) sum += static_cast<float>(x.bias_at(m, n));
    return breach == Breach::truncating_store ? truncate(w.act, sum) : narrow(w.act, sum);
  }
};

}  // namespace

std::string_view name_of(Breach b) {
  switch (b) {
    case Breach::none:
      return "none";
    case Breach::half_accumulator:
      return "half_accumulator";
    case Breach::rounded_weight:
      return "rounded_weight";
    case Breach::rounded_twice:
      return "rounded_twice";
    case Breach::truncating_store:
      return "truncating_store";
    case Breach::dropped_last_k:
      return "dropped_last_k";
    case Breach::neighbour_scale:
      return "neighbour_scale";
    case Breach::zero_point_plus_1:
      return "zero_point_plus_1";
    case Breach::stale_activation:
      return "stale_activation";
  }
  return "";
}

std::vector<uint16_t> simulate_decode(const Arrays& x, Arithmetic arithmetic, Breach breach) {
  const Simulation s{x, *x.wei, arithmetic, breach};
  std::vector<uint16_t> out;
  for (int64_t m = 0; m < x.m; ++m) {
    for (int64_t n = 0; n < x.wei->n; ++n) out.push_back(s.element(m, n));
  }
  return out;
}

void DecodeNumerics::weights(double z, double s, std::span<double, 16> out) const {
  for (int q = 0; q < 16; ++q) out[static_cast<size_t>(q)] = (q - z) * s;
}

uint16_t DecodeNumerics::store(double acc, double bias, bool has_bias) const {
  const float sum = static_cast<float>(acc);
  return narrow(act_, has_bias ? sum + static_cast<float>(bias) : sum);
}

Chain DecodeNumerics::chain() const {
  const bool offset = act_ == DType::bf16;
  const auto chunks = static_cast<int>((k_ + 511) / 512);
  return {.unit = Chain::Unit::dot2,
          .steps = 8 + (offset ? 1 : 0) + chunks + 5,
          .chunk = 16,
          .chunks = chunks,
          .offset_trick = offset};
}

}  // namespace w4::test
