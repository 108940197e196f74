#include "core/dtypes.h"
#include "kernels/chunked_tile.h"
#include "kernels/device_flags.h"
#include "kernels/numerics.h"

namespace w4 {
namespace {

// q - z is exact in both types for the integer zero points that packed words hold: fp16 in one
// folded constant, bf16 as (128 + q) and (128 + z) apart. The scale multiplies an fp32 partial sum,
// so its product with a weight is never rounded by itself.
double chunked_weight(w4_dtype, double q, double z, double s) { return (q - z) * s; }

// The sum is an fp32 number, the bias is added in fp32, and the store rounds once.
uint16_t chunked_store(w4_dtype act, double acc, double bias, int has_bias) {
  float sum = static_cast<float>(acc);
  if (has_bias != 0) sum += static_cast<float>(bias);
  return act == W4_F16 ? f32_to_f16(sum) : f32_to_bf16(sum);
}

// The longest path from a product to the stored sum, in lane 0:
//   A/2  dot2 over the elements of its chunk (the accumulator starts at 0)
//   1    bf16 only: fma that takes (128 + z) * act_sum off
//   c    scale fma: its own chunk's and those of the chunks after it, c = ceil(K / 32A)
//   5    cross-lane additions
// The pieces in which K goes through the LDS array change nothing of it.
//
// A is 16, and at M = 1 up to the array's K may be 32: by the table where K = 4096 or zero points
// are symmetric and 8192 divides K, by a forced tile anywhere. Which it is depends on what this
// function is not told, so the longest of both is declared there: the chunk of A = 32, the number
// of chunks of A = 16. Every term of the bound (reference/bound.h) grows with either, a chunk's
// terms also when two chunks become one. It costs at most a factor of 2, in bf16.
w4_chain chunked_chain(w4_dtype act, int64_t m, int64_t, int64_t k, int64_t, int64_t) {
  constexpr int64_t kShort = 16, kLong = 32;
  constexpr int32_t kCrossLane = 5;
  const bool long_chunks = m == 1 && chunked_fits(m, k);
  const bool offset = act == W4_BF16;
  w4_chain chain{};
  chain.unit = W4_UNIT_DOT2;
  chain.chunk = static_cast<int32_t>(long_chunks ? kLong : kShort);
  chain.chunks = static_cast<int32_t>((k + 32 * kShort - 1) / (32 * kShort));
  chain.steps = chain.chunk / 2 + (offset ? 1 : 0) + chain.chunks + kCrossLane;
  chain.offset_trick = offset ? 1 : 0;
  return chain;
}

}  // namespace

const w4_numerics kChunkedNumerics{
    .weight = chunked_weight,
    .store = chunked_store,
    .chain = chunked_chain,
    .text =
        "Per lane and chunk of A elements (A = 16, at M = 1 also 32): A/2 dot2 into fp32 from 0, "
        "of the activations with q - z in fp16 (exact: the zero point is folded into the "
        "constants that make fp16 numbers of the codes), or in bf16 with 128 + q, less (128 + z) "
        "times the chunk's activation sum by one fma. Each chunk's partial enters the lane's fp32 "
        "sum by one fma with the scale, k ascending, whatever the pieces are in which K passes "
        "through the LDS array. Five fp32 additions across lanes: 8, 4, 2 and 1 below in the row "
        "of 16, then the other row. The bias is added in fp32, then one rounding to nearest even "
        "to the activation dtype. Range of bf16: where 143 * sum |act| over one chunk reaches the "
        "largest fp32 number, or an activation is infinite, Inf and NaN may stand where the exact "
        "sum is finite or Inf. Device code: " W4_DEVICE_COMPILER ", " W4_DEVICE_FLAGS ".",
    .gate = nullptr,
};

}  // namespace w4
