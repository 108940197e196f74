#include "kernels/numerics.h"

#include "core/dtypes.h"
#include "kernels/decode_args.h"
#include "kernels/device_flags.h"

namespace w4 {
namespace {

// fp16: q is exact after the magic constants and q - z is one fp16 subtraction, exact for integer z
// in 0..15 and rounded for any other number an unpacked zero point may hold. bf16: (128 + q) is
// exact, 128 + z is one fp32 addition. The scale multiplies an fp32 partial sum, so its product
// with a weight is never rounded by itself.
double decode_weight(w4_dtype act, double q, double z, double s) {
  if (act == W4_F16) return to_f64(DType::f16, f64_to_f16(q - z)) * s;
  return ((128.0 + q) - static_cast<double>(static_cast<float>(128.0 + z))) * s;
}

// The sum is an fp32 number, the bias is added in fp32, and the store rounds once.
uint16_t decode_store(w4_dtype act, double acc, double bias, int has_bias) {
  float sum = static_cast<float>(acc);
  if (has_bias != 0) sum += static_cast<float>(bias);
  return act == W4_F16 ? f32_to_f16(sum) : f32_to_bf16(sum);
}

// The longest path from a product to the stored sum, in lane 0, which has ceil(K/512) chunks:
//   8  dot2 over the 16 elements of its chunk (the accumulator starts at 0)
//   1  bf16 only: fma that takes (128 + z) * act_sum off
//   c  scale fma: its own chunk's and those of the chunks after it
//   5  cross-lane additions
// The addition of the bias is replayed by decode_store, so it is no step here. The reduction adds
// zeros in some lanes; a chunk that a lane does not have adds nothing.
w4_chain decode_chain(w4_dtype act, int64_t, int64_t, int64_t k, int64_t, int64_t) {
  constexpr int64_t kWaveStep = 32 * int64_t{kDecodeChunk};
  constexpr int32_t kDots = kDecodeChunk / 2;
  constexpr int32_t kCrossLane = 5;
  const bool offset = act == W4_BF16;
  const auto chunks = static_cast<int32_t>((k + kWaveStep - 1) / kWaveStep);
  w4_chain chain{};
  chain.unit = W4_UNIT_DOT2;
  chain.steps = kDots + (offset ? 1 : 0) + chunks + kCrossLane;
  chain.chunk = kDecodeChunk;
  chain.chunks = chunks;
  chain.offset_trick = offset ? 1 : 0;
  return chain;
}

}  // namespace

const w4_numerics kDecodeNumerics{
    .weight = decode_weight,
    .store = decode_store,
    .chain = decode_chain,
    .text =
        "Per lane and chunk of 16: eight dot2 into fp32 from 0, of the activations with q - z in "
        "fp16 (one fp16 subtraction, exact for integer zero points), or in bf16 with 128 + q, less "
        "(128 + z) times the chunk's activation sum by one fma. Each chunk's partial enters the "
        "lane's fp32 sum by one fma with the scale. Five fp32 additions across lanes: 8, 4, 2 and "
        "1 below in the row of 16, then the other row. The bias is added in fp32, then one "
        "rounding to nearest even to the activation dtype. Device code: " W4_DEVICE_COMPILER
        ", " W4_DEVICE_FLAGS ".",
    .gate = nullptr,
};

}  // namespace w4
