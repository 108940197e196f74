#include "core/dtypes.h"
#include "kernels/device_flags.h"
#include "kernels/numerics.h"

namespace w4 {
namespace {

double rounded(w4_dtype act, double x) {
  const DType t = static_cast<DType>(act);
  return to_f64(t, from_f64(t, x));
}

// q - z is exact for the integers 0..15 and rounded for any other number that an unpacked zero
// point may hold; the product is exact in double and rounded once, to Inf where it overflows.
double prefill_weight(w4_dtype act, double q, double z, double s) {
  return rounded(act, rounded(act, q - z) * s);
}

// fp16: the carrier holds fl(-z s), and q s is rounded before it is added. bf16: z itself.
double carrier_weight(w4_dtype act, double q, double z, double s) {
  if (act != W4_F16) return prefill_weight(act, q, z, s);
  return rounded(act, rounded(act, q * s) + rounded(act, -(z * s)));
}

// The sum of two numbers of the activation dtype, rounded to double first: 53 bits are more than
// twice the 11 of fp16 and 2, so that the second rounding is the one that counts.
uint16_t prefill_store(w4_dtype act, double acc, double bias, int has_bias) {
  const DType t = static_cast<DType>(act);
  const float sum = static_cast<float>(acc);
  const uint16_t stored = act == W4_F16 ? f32_to_f16(sum) : f32_to_bf16(sum);
  return has_bias != 0 ? from_f64(t, to_f64(t, stored) + bias) : stored;
}

// K products enter the fp32 sum, 16 of them a step, k ascending; how the matrix unit takes those
// together is its model's business (reference/bound.h).
w4_chain prefill_chain(w4_dtype, int64_t, int64_t, int64_t k, int64_t, int64_t) {
  w4_chain chain{};
  chain.unit = W4_UNIT_WMMA;
  chain.steps = static_cast<int32_t>(k);
  chain.chunk = 16;
  return chain;
}

#define W4_PREFILL_SUM                                                                             \
  "Products enter one fp32 sum in steps of 16 along K, ascending, by the matrix unit. The sum is " \
  "rounded to nearest even to the activation dtype, then the bias is added in that dtype. "        \
  "Device code: " W4_DEVICE_COMPILER ", " W4_DEVICE_FLAGS "."

}  // namespace

const w4_numerics kPrefillNumerics{
    .weight = prefill_weight,
    .store = prefill_store,
    .chain = prefill_chain,
    .text =
        "Each weight is (q - z) * s rounded once to the activation dtype; where z is no integer "
        "q - z is rounded too. " W4_PREFILL_SUM,
    .gate = nullptr,
};

const w4_numerics kPrefillDenseNumerics{
    .weight = prefill_weight,
    .store = prefill_store,
    .chain = prefill_chain,
    .text =
        "The weights are (q - z) * s, rounded once to the activation dtype when they were "
        "prepared. " W4_PREFILL_SUM,
    .gate = nullptr,
};

const w4_numerics kPrefillCarrierNumerics{
    .weight = carrier_weight,
    .store = prefill_store,
    .chain = prefill_chain,
    .text =
        "fp16: each weight is q * s rounded, plus -z * s rounded, the sum rounded: no fused "
        "step, so that q = z gives 0. bf16: (q - z) * s rounded once. " W4_PREFILL_SUM,
    .gate = nullptr,
};

}  // namespace w4
