// From the weights of a checkpoint to the layouts of the kernels (contract.md 3, 10, 11):
//   wei     shuffled, compressed-tensors, AWQ or GPTQ  ->  i8 [N,K/2 + pad], shuffled along K; or,
//           for kernels of dense weights, T [N,K + pad/2] = fl_T((q - z)*s), T the scales' dtype
//   scale   [N,K/G], or [K/G,N] of AWQ and GPTQ        ->  [N,K/G + pad], same dtype
//   zp      any of its encodings                       ->  packed i32 [N/8,K/G + pad], or unpacked
//                                                          in the dtype of the scales [N,K/G + pad]
//   carrier for kernels that read one                  ->  32 bits [N,K/G + its own pad]: the scale
//           in the low half; in the high half -z*s as fp16, or z as an integer where T is bf16
// Pads are zero. Symmetric sources have no zero points in the result, whatever tensors exist; their
// dense copy and carrier have z = 8.
//
// A source may be larger than what is wanted: rows n0 to n0+n and columns k0 to k0+k of it are
// taken. Every layout has its tag and its dtype, so a second run of a conversion either sees the
// kernel's own layout and copies it, or is refused.
//
// GPTQ v1 stores z - 1 modulo 16: a stored 15 is read as z = 0, never as 16 (contract.md 3.3).
#pragma once

#include <array>

#include "kernels/module.h"

namespace w4 {

// The clauses about checkpoints, in every kernel's list after those of its calls.
inline constexpr std::array kPreparationClauses{"source.octet", "source.gidx", "act.order",
                                                "shard.range",  "shard.group", "shard.octet"};

// The `prepare` of module.h; `self` says whether weights are dense and whether there is a carrier
// (null: neither). Refuses by clause: wrong shapes and layouts, N % 8 where the source packs along
// N, K % 8 where it packs along K, negative pads, shards outside the checkpoint or off its groups
// and octets, act-order.
int prepare_weights(const w4_kernel* self, const w4_source* source, const w4_device* device,
                    w4_prepared* out);

}  // namespace w4
