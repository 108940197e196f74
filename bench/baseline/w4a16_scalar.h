// The yardstick of the emulator's speed: the decode arithmetic as a plain native loop. Frozen at
// its first commit, compiled with -O3 -march=x86-64-v3, so that ratios of different years compare.
#pragma once

#include <cstdint>

namespace w4::bench {

// out[m,n] = fp16(sum_k act[m,k] * ((code[n,k] - 8) * scale[n, k div g])): symmetric decode, one
// fp32 accumulator, k ascending. act [M,K] and scale [N,K/G] are fp16 bits; wei [N,K/8] words in
// the shuffled order of contract.md 2; out [M,N] fp16 bits. K % 16 == 0, K % g == 0, g % 16 == 0.
void w4a16_scalar(const uint32_t* wei, const uint16_t* act, const uint16_t* scale, uint16_t* out,
                  int64_t m, int64_t n, int64_t k, int64_t g);

}  // namespace w4::bench
