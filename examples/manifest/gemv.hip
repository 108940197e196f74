// A W4A16 GEMV to verify with w4check (docs/tutorial-triton.md), as a compiler user would write it:
//   out[m,n] = sum_k act[m,k] * (q[n,k] - z[n,g(k)]) * scale[n,g(k)] + bias[n],  g(k) = k div G
//   act f16 [M,K]   wei u32 [N,K/8], code k at bits 4*(k mod 8)   scale f16 [N,K/G]
//   zp u32 [N/8,K/G], channel n at bits 4*(n mod 8)               bias f16 [N] or null   out f16 [M,N]
// One thread an element; fp32 sums, one rounding at the end.
#ifndef __global__
#define __global__ __attribute__((global))
#endif

namespace gemv {

template <class T, int G>
__global__ void kernel(const T* act, const unsigned* wei, const T* scale, const unsigned* zp,
                       const T* bias, T* out, int m, int n, int k, int lda) {
  const int col = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  const int row = __builtin_amdgcn_workgroup_id_y();
  if (col >= n || row >= m) return;
  float sum = 0;
  for (int g = 0; g < k / G; g++) {
    const float s = scale[col * (k / G) + g];
    const float z = zp[col / 8 * (k / G) + g] >> 4 * (col % 8) & 15;
    for (int i = g * G; i < g * G + G; i++) {
      const float q = wei[col * (k / 8) + i / 8] >> 4 * (i % 8) & 15;
      sum = __builtin_fmaf(static_cast<float>(act[row * lda + i]), (q - z) * s, sum);
    }
  }
  if (bias != nullptr) sum += static_cast<float>(bias[col]);
  out[row * n + col] = static_cast<T>(sum);
}

template __global__ void kernel<_Float16, 32>(const _Float16*, const unsigned*, const _Float16*,
                                              const unsigned*, const _Float16*, _Float16*, int, int,
                                              int, int);
template __global__ void kernel<_Float16, 64>(const _Float16*, const unsigned*, const _Float16*,
                                              const unsigned*, const _Float16*, _Float16*, int, int,
                                              int, int);
template __global__ void kernel<_Float16, 128>(const _Float16*, const unsigned*, const _Float16*,
                                               const unsigned*, const _Float16*, _Float16*, int,
                                               int, int, int);

}  // namespace gemv
