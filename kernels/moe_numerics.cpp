#include "core/dtypes.h"
#include "kernels/device_flags.h"
#include "kernels/moe_args.h"
#include "kernels/numerics.h"
#include "kernels/silu.h"

namespace w4 {
namespace {

// Exact, as in the chunked kernels, whose walk this is.
double moe_weight(w4_dtype, double q, double z, double s) { return (q - z) * s; }

uint16_t moe_store(w4_dtype act, double acc, double, int) {
  const auto sum = static_cast<float>(acc);
  return act == W4_F16 ? f32_to_f16(sum) : f32_to_bf16(sum);
}

// The path of the chunked kernels (kernels/chunked_numerics.cpp): A/2 dot2, in bf16 one fma, a
// scale fma a chunk, 5 additions across lanes. Rows of a block: `m`. At block_m = 1 the tile's A
// may be 8, 16 or 32, which this function is not told: declared is the longest of them, the chunk
// of A = 32 and the number of chunks of A = 8.
w4_chain moe_chain(w4_dtype act, int64_t m, int64_t, int64_t k, int64_t, int64_t) {
  constexpr int32_t kCrossLane = 5;
  const bool any = m == 1 && k <= int64_t{kMoeLargeElements};
  const int64_t shortest = any ? 8 : 16;
  const bool offset = act == W4_BF16;
  w4_chain chain{};
  chain.unit = W4_UNIT_DOT2;
  chain.chunk = any ? 32 : 16;
  chain.chunks = static_cast<int32_t>((k + 32 * shortest - 1) / (32 * shortest));
  chain.steps = chain.chunk / 2 + (offset ? 1 : 0) + chain.chunks + kCrossLane;
  chain.offset_trick = offset ? 1 : 0;
  return chain;
}

// silu in fp32 (kernels/silu.h), one rounding to the type, then one product in it. In bf16 that
// product is an fp32 one, rounded again.
uint16_t moe_gate(w4_dtype act, uint16_t gate, uint16_t up) {
  if (act == W4_F16) {
    const uint16_t h = f32_to_f16(silu(static_cast<float>(to_f64(DType::f16, gate))));
    return f64_to_f16(to_f64(DType::f16, h) * to_f64(DType::f16, up));
  }
  const uint16_t h = f32_to_bf16(silu(static_cast<float>(to_f64(DType::bf16, gate))));
  const auto left = static_cast<float>(to_f64(DType::bf16, h));
  const auto right = static_cast<float>(to_f64(DType::bf16, up));
  return f32_to_bf16(left * right);
}

}  // namespace

const w4_numerics kMoeNumerics{
    .weight = moe_weight,
    .store = moe_store,
    .chain = moe_chain,
    .text =
        "Each row of a block as the chunked kernels compute theirs: per lane and chunk of A "
        "elements (A = 16, at block_m = 1 also 8 and 32) A/2 dot2 into fp32 from 0, of the "
        "activations with q - z in fp16, exact, or in bf16 with 128 + q, less (128 + z) times the "
        "chunk's activation sum by one fma; one fma with the scale a chunk; five fp32 additions "
        "across lanes; one rounding to nearest even to the activation dtype. Fused silu: "
        "x / (1 + exp(-x)) in fp32 by a polynomial and one IEEE division, rounded to the "
        "activation dtype, then multiplied by the up half in it. Rows without an expert are zeros. "
        "Device code: " W4_DEVICE_COMPILER ", " W4_DEVICE_FLAGS ".",
    .gate = moe_gate,
};

}  // namespace w4
