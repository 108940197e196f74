#include "tests/oracles/declarations.h"

#include "intake/declarations.h"
#include "kernels/numerics.h"
#include "verify/materialise.h"

namespace w4::test {
namespace {

template <class F>
F rule(std::span<const Named<F>> rules, std::string_view name) {
  for (const Named<F>& r : rules) {
    if (r.name == name) return r.function;
  }
  return nullptr;
}

w4_numerics of_manifest(std::string_view weight, std::string_view chain) {
  return {.weight = rule(weight_rules(), weight),
          .store = rule(store_rules(), "round_once"),
          .chain = rule(chain_rules(), chain),
          .text = "",
          .gate = nullptr};
}

}  // namespace

const std::vector<Declaration>& all_declarations() {
  static const w4_numerics kExactFma = of_manifest("product_exact", "fma_f32");
  static const w4_numerics kRoundedFma = of_manifest("product_rounded", "fma_f32");
  static const w4_numerics kRoundedWmma = of_manifest("product_rounded", "wmma_f32");
  static const w4_numerics kInOrder = of_manifest("product_rounded", "wmma_f32_in_order");
  static const w4_numerics kRoundedDot2 = of_manifest("product_rounded", "dot2_f32");
  static const w4_numerics kWave = of_manifest("product_rounded", "dot2_f32_wave");
  static const std::vector<Declaration> all{
      {"decode", &kDecodeNumerics, 3, {0}},
      {"chunked", &kChunkedNumerics, 3, {0}},
      {"chunked_m1", &kChunkedNumerics, 1, {16, 32}},
      {"prefill", &kPrefillNumerics, 3, {0}},
      {"prefill_dense", &kPrefillDenseNumerics, 3, {0}},
      {"prefill_carrier", &kPrefillCarrierNumerics, 3, {0}},
      {"moe", &kMoeNumerics, 3, {0}, false},
      {"moe_m1", &kMoeNumerics, 1, {8, 16, 32}, false},
      // K roundings in an order not known: what a long K hides, a short one shows.
      {"manifest_product_exact_fma_f32", &kExactFma, 3, {0}, true, 256},
      {"manifest_product_rounded_fma_f32", &kRoundedFma, 3, {0}, true, 256},
      {"manifest_product_rounded_wmma_f32", &kRoundedWmma, 3, {0}, true, 256},
      {"manifest_product_rounded_wmma_f32_in_order", &kInOrder, 3, {0}},
      {"manifest_product_rounded_dot2_f32", &kRoundedDot2, 3, {0}, true, 256},
      {"manifest_product_rounded_dot2_f32_wave", &kWave, 3, {0}},
  };
  return all;
}

ModuleNumerics numerics_of(const Declaration& d, DType act, int64_t k) {
  return {*d.numerics, to_module(act), d.m, 64, k, 64, 20};
}

}  // namespace w4::test
