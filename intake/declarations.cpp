#include "intake/declarations.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/dtypes.h"

namespace w4 {
namespace {

DType type_of(w4_dtype act) { return act == W4_F16 ? DType::f16 : DType::bf16; }

// q - z is an integer of at most 15 in magnitude: the product is the only rounding.
double product_rounded(w4_dtype act, double q, double z, double s) {
  return to_f64(type_of(act), from_f64(type_of(act), (q - z) * s));
}

double product_exact(w4_dtype, double q, double z, double s) { return (q - z) * s; }

uint16_t round_once(w4_dtype act, double acc, double bias, int has_bias) {
  float sum = static_cast<float>(acc);
  if (has_bias != 0) sum += static_cast<float>(bias);
  return act == W4_F16 ? f32_to_f16(sum) : f32_to_bf16(sum);
}

// The accumulator takes one product after the other in some order, or sums of them: no product
// meets more roundings than there are products.
w4_chain k_steps(w4_unit unit, int64_t k) {
  w4_chain c{};
  c.unit = unit;
  c.steps = static_cast<int32_t>(std::clamp<int64_t>(k, 0, std::numeric_limits<int32_t>::max()));
  return c;
}
w4_chain wmma_f32(w4_dtype, int64_t, int64_t, int64_t k, int64_t, int64_t) {
  return k_steps(W4_UNIT_WMMA, k);
}
w4_chain wmma_f32_in_order(w4_dtype, int64_t, int64_t, int64_t k, int64_t, int64_t) {
  w4_chain c = k_steps(W4_UNIT_WMMA, k);
  c.chunk = 16;
  return c;
}
w4_chain fma_f32(w4_dtype, int64_t, int64_t, int64_t k, int64_t, int64_t) {
  return k_steps(W4_UNIT_FMA32, k);
}

// fp16 dot2 and bf16 products in fp32, into accumulators of lanes that are added at the end: the
// weights come rounded to the activation dtype, or dense. A dot2 rounds once for two products.
w4_chain dot2_f32(w4_dtype act, int64_t, int64_t, int64_t k, int64_t, int64_t) {
  w4_chain c = k_steps(act == W4_F16 ? W4_UNIT_DOT2 : W4_UNIT_FMA32, k);
  c.chunks = 1;
  return c;
}

// A lane has ceil(K/256) times 8 elements; five additions join the lanes, counted twice as the
// bound takes half of the steps for dot2.
w4_chain dot2_f32_wave(w4_dtype act, int64_t m, int64_t n, int64_t k, int64_t g, int64_t cus) {
  return dot2_f32(act, m, n, (k + 255) / 256 * 8 + 10, g, cus);
}

constexpr std::array kWeights{
    Named<decltype(w4_numerics::weight)>{
        "product_rounded", product_rounded,
        "a weight is (q - z) * s, rounded once to the activation dtype"},
    Named<decltype(w4_numerics::weight)>{"product_exact", product_exact,
                                         "a weight is (q - z) * s, not rounded"},
};
constexpr std::array kStores{
    Named<decltype(w4_numerics::store)>{
        "round_once", round_once,
        "the fp32 sum, the bias added in fp32, is rounded once to the activation dtype"},
};
constexpr std::array kChains{
    Named<decltype(w4_numerics::chain)>{
        "wmma_f32", wmma_f32,
        "matrix instructions into an fp32 accumulator, K roundings in an order not known"},
    Named<decltype(w4_numerics::chain)>{
        "wmma_f32_in_order", wmma_f32_in_order,
        "the same, in steps of 16 that follow each other along K, into one accumulator"},
    Named<decltype(w4_numerics::chain)>{"fma_f32", fma_f32,
                                        "fused multiply-adds in fp32, K roundings in any order"},
    Named<decltype(w4_numerics::chain)>{
        "dot2_f32", dot2_f32,
        "dot2 into fp32 accumulators, in bf16 products and sums in fp32; scaled or dense weights, "
        "at most K roundings in any order"},
    Named<decltype(w4_numerics::chain)>{
        "dot2_f32_wave", dot2_f32_wave,
        "the same where 32 lanes share K, 8 elements each in turn, and are added at the end"},
};

}  // namespace

std::span<const Named<decltype(w4_numerics::weight)>> weight_rules() { return kWeights; }
std::span<const Named<decltype(w4_numerics::store)>> store_rules() { return kStores; }
std::span<const Named<decltype(w4_numerics::chain)>> chain_rules() { return kChains; }

}  // namespace w4
