// From the weights of a checkpoint to the layout of the decode kernel (contract.md 3 and 10):
//   wei   shuffled, compressed-tensors, AWQ or GPTQ  ->  i8 [N,K/2 + pad], shuffled along K
//   scale [N,K/G], or [K/G,N] of AWQ and GPTQ        ->  [N,K/G + pad], same dtype
//   zp    any of its encodings                       ->  packed i32 [N/8,K/G + pad], or unpacked
//                                                        in the dtype of the scales [N,K/G + pad]
// Pads are zero. Symmetric sources have no zero points in the result, whatever tensors exist.
//
// GPTQ v1 stores z - 1 modulo 16: a stored 15 is read as z = 0, never as 16 (contract.md 3.3).
#pragma once

#include "kernels/module.h"

namespace w4 {

// The `prepare` of module.h. Refuses by clause: wrong shapes and layouts, N % 8 where the source
// packs along N, K % 8 where it packs along K, negative pads.
int prepare_weights(const w4_kernel* self, const w4_source* source, const w4_device* device,
                    w4_prepared* out);

}  // namespace w4
