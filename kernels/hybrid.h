// The row `hybrid` of the kernel table (contract.md 8): out = round(act * dequant(wei)^T + bias)
// for any M, by one of two kernels of the table:
//   chunked  where M <= 5 and K*M <= 32768, the elements of its own LDS array
//   prefill  everywhere else
// act is [M,K] or [L,T,K] with M = L*T, out [M,N] or [L,T,N]. M = 0 is an empty result: the call is
// checked as one of one row, and nothing is launched. A bias goes to the kernel that runs, once.
#pragma once

#include "kernels/module.h"

namespace w4 {

w4_kernel hybrid_kernel();

}  // namespace w4
