#include "tests/reference/decode_numerics.h"

namespace w4::test {

void DecodeNumerics::weights(double z, double s, std::span<double, 16> out) const {
  for (int q = 0; q < 16; ++q) out[static_cast<size_t>(q)] = (q - z) * s;
}

uint16_t DecodeNumerics::store(double acc, double bias, bool has_bias) const {
  const float sum = static_cast<float>(acc);
  const float v = has_bias ? sum + static_cast<float>(bias) : sum;
  return act_ == DType::f16 ? f32_to_f16(v) : f32_to_bf16(v);
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
