#include "devices/host_dot2.h"

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

}  // namespace

HostDot2 host_dot2_f16(rdna::FpModel model) { return dot2<rdna::DotType::f16, f16>(model); }
HostDot2 host_dot2_bf16(rdna::FpModel model) { return dot2<rdna::DotType::bf16, bf16>(model); }

}  // namespace w4
