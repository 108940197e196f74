#include "devices/host_arithmetic.h"

#include <array>
#include <bit>
#include <cmath>

#include "rdna/isa/dot2.h"

namespace w4 {
namespace {

uint16_t low(uint32_t pair) { return static_cast<uint16_t>(pair); }
uint16_t high(uint32_t pair) { return static_cast<uint16_t>(pair >> 16); }

// The units flush denormals of fp32, and of bf16, which is fp32 cut short.
float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

double f16(uint16_t bits) { return static_cast<double>(std::bit_cast<_Float16>(bits)); }
double bf16(uint16_t bits) {
  return double{flush(std::bit_cast<float>(static_cast<uint32_t>(bits) << 16))};
}

template <double (*value)(uint16_t)>
float ieee(uint32_t a, uint32_t b, float acc) {
  return flush(
      rdna::dot2_ieee(value(low(a)) * value(low(b)), value(high(a)) * value(high(b)), flush(acc)));
}

template <rdna::DotType type>
float gfx1151(uint32_t a, uint32_t b, float acc) {
  return std::bit_cast<float>(
      rdna::dot2_gfx1151(type, low(a), low(b), high(a), high(b), std::bit_cast<uint32_t>(acc)));
}

template <rdna::DotType type>
float gfx1201(uint32_t a, uint32_t b, float acc) {
  return std::bit_cast<float>(rdna::dot_gfx1201(type, std::array{low(a), high(a)},
                                                std::array{low(b), high(b)},
                                                std::bit_cast<uint32_t>(acc)));
}

template <rdna::DotType type, double (*value)(uint16_t)>
HostDot2 dot2(rdna::FpModel model) {
  switch (model) {
    case rdna::FpModel::ieee:
      return ieee<value>;
    case rdna::FpModel::gfx1151:
      return gfx1151<type>;
    case rdna::FpModel::gfx1201:
      return gfx1201<type>;
  }
  return nullptr;
}

float widen(rdna::DotType type, uint16_t bits) {
  if (type == rdna::DotType::bf16) return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  return static_cast<float>(std::bit_cast<_Float16>(bits));
}

// One fused step a product, k ascending (rdna/isa/README.md).
template <rdna::DotType type>
float matrix_ieee(const uint16_t (&a)[16], const uint16_t (&b)[16], float acc) {
  for (int k = 0; k < 16; ++k) acc = std::fma(widen(type, a[k]), widen(type, b[k]), acc);
  return acc;
}

template <rdna::DotType type>
float matrix_gfx1151(const uint16_t (&a)[16], const uint16_t (&b)[16], float acc) {
  uint32_t sum = std::bit_cast<uint32_t>(acc);
  for (int k = 0; k < 16; k += 2) {
    sum = rdna::dot2_gfx1151(type, a[k], b[k], a[k + 1], b[k + 1], sum);
  }
  return std::bit_cast<float>(sum);
}

// Four products a step, from each half of K in turn.
template <rdna::DotType type>
float matrix_gfx1201(const uint16_t (&a)[16], const uint16_t (&b)[16], float acc) {
  uint32_t sum = std::bit_cast<uint32_t>(acc);
  for (const int k : {0, 8, 4, 12}) {
    sum = rdna::dot_gfx1201(type, std::span(a + k, 4), std::span(b + k, 4), sum);
  }
  return std::bit_cast<float>(sum);
}

template <rdna::DotType type>
HostDot16 matrix(rdna::FpModel model) {
  switch (model) {
    case rdna::FpModel::ieee:
      return matrix_ieee<type>;
    case rdna::FpModel::gfx1151:
      return matrix_gfx1151<type>;
    case rdna::FpModel::gfx1201:
      return matrix_gfx1201<type>;
  }
  return nullptr;
}

}  // namespace

HostArithmetic host_arithmetic(rdna::FpModel model) {
  using rdna::DotType;
  return {dot2<DotType::f16, f16>(model), dot2<DotType::bf16, bf16>(model),
          matrix<DotType::f16>(model), matrix<DotType::bf16>(model)};
}

}  // namespace w4
