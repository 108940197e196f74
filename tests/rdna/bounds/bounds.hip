// Accesses outside what the launch gave: tails without their guard, wrong strides and indices.
#include "tests/rdna/triad_kernel.h"

// A tile of 16 rows over in[m][k]; the last rows do not exist.
template <bool kFault>
__device__ void tail_m(const Args& a) {
  const int row = tid() / 8, col = tid() % 8;
  u32 x = 0;
  if (kFault || row < a.m) x = a.in[row * a.k + col];  // FOUND tail_m
  a.out[tid()] = x;
}
TRIAD(tail_m, 128)

// Two workgroups of 32 columns over out[n].
template <bool kFault>
__device__ void tail_n(const Args& a) {
  const int col = bid() * 32 + tid();
  if (kFault || col < a.n) a.out[col] = 1;  // FOUND tail_n
}
TRIAD(tail_n, 32)

// A lane a row, four words at a time; k is no multiple of four.
template <bool kFault>
__device__ void tail_k(const Args& a) {
  const u32* row = a.in + tid() * a.k;
  u32 sum = 0;
  int k = 0;
  for (; kFault ? k < a.k : k + 4 <= a.k; k += 4) {
    u32 x[4];
    __builtin_memcpy(x, row + k, 16);  // FOUND tail_k
    sum += x[0] + x[1] + x[2] + x[3];
  }
  for (; k < a.k; ++k) sum += row[k];
  a.out[tid()] = sum;
}
TRIAD(tail_k, 32)

// Rows 0 to m instead of 0 to m - 1.
template <bool kFault>
__device__ void one_row_more(const Args& a) {
  u32 sum = 0;
  for (int row = 0; kFault ? row <= a.m : row < a.m; ++row) sum += a.in[row * a.k + tid()];  // FOUND one_row_more
  a.out[tid()] = sum;
}
TRIAD(one_row_more, 32)

// The stride of padded rows for rows without a pad.
template <bool kFault>
__device__ void wrong_stride(const Args& a) {
  const int stride = kFault ? a.k + 8 : a.k;
  u32 sum = 0;
  for (int row = 0; row < a.m; ++row) sum += a.in[row * stride + tid()];  // FOUND wrong_stride
  a.out[tid()] = sum;
}
TRIAD(wrong_stride, 32)

template <bool kFault>
__device__ void before_the_start(const Args& a) {
  a.out[tid()] = a.in[kFault ? tid() - 1 : tid()];  // FOUND before_the_start
}
TRIAD(before_the_start, 32)

// Rows of k words at a stride of k + 4: the pad between them belongs to nobody.
template <bool kFault>
__device__ void pad_between_rows(const Args& a) {
  u32 sum = 0;
  for (int k = 0; k < a.k + (kFault ? 1 : 0); ++k) sum += a.in[tid() * (a.k + 4) + k];  // FOUND pad_between_rows
  a.out[tid()] = sum;
}
TRIAD(pad_between_rows, 32)

// Scales of scale[n][k / g], indexed with a group size of 32 whatever g is.
template <bool kFault>
__device__ void wrong_group(const Args& a) {
  const int groups = a.k / a.g, g = kFault ? 32 : a.g;
  u32 sum = 0;
  for (int k = 0; k < a.k; k += 32) sum += a.scale[tid() * groups + k / g];  // FOUND wrong_group
  a.out[tid()] = sum;
}
TRIAD(wrong_group, 32)

// row * stride in 32 bits is negative for the last rows.
template <bool kFault>
__device__ void product_of_32_bits(const Args& a) {
  const int row = a.m + tid();
  const i64 at = kFault ? static_cast<i64>(static_cast<int>(static_cast<u32>(row) * static_cast<u32>(a.k)))
                        : static_cast<i64>(row) * a.k;
  a.work[at] = 1;  // FOUND product_of_32_bits
  a.out[tid()] = 1;
}
TRIAD(product_of_32_bits, 32)

template <bool kFault>
__device__ void writes_its_input(const Args& a) {
  u32* in = const_cast<u32*>(a.in);
  const u32 x = in[tid()];
  if (kFault) in[tid()] = x + 1;  // FOUND writes_its_input
  a.out[tid()] = x;
}
TRIAD(writes_its_input, 32)

// Zero points are null where the weights are symmetric.
template <bool kFault>
__device__ void null_operand(const Args& a) {
  u32 zero = 8;
  if (kFault || a.wei != nullptr) zero = a.wei[tid()];  // FOUND null_operand
  a.out[tid()] = zero;
}
TRIAD(null_operand, 32)

template <bool kFault>
__device__ void atomic_past_the_end(const Args& a) {
  a.out[tid()] = 1;
  if (tid() < 8 + (kFault ? 1 : 0)) add(&a.work[tid()], 1);  // FOUND atomic_past_the_end
}
TRIAD(atomic_past_the_end, 32)

// The last row of the tile has no row below it.
template <bool kFault>
__device__ void lds_row_below(const Args& a) {
  __shared__ u32 tile[16][8];
  const int row = tid() / 8, col = tid() % 8;
  tile[row][col] = a.in[tid()];
  barrier();
  u32 x = tile[row][col];
  if (kFault || row + 1 < 16) x += tile[row + a.m][col];  // FOUND lds_row_below
  a.out[tid()] = x;
}
TRIAD(lds_row_below, 128)

// The host asks for less dynamic LDS than the kernel uses.
template <bool kFault>
__device__ void dynamic_lds(const Args& a) {
  extern __shared__ u32 rows[];
  rows[tid() * 4] = a.in[tid()];  // FOUND dynamic_lds
  barrier();
  a.out[tid()] = rows[tid() * 4];
}
TRIAD(dynamic_lds, 64)

// Sixteen bytes of which the last eight are past the end.
template <bool kFault>
__device__ void lds_vector_at_the_end(const Args& a) {
  __shared__ __attribute__((aligned(16))) u32 row[64];
  row[tid()] = row[tid() + 32] = a.in[tid()];
  barrier();
  const Words q = *reinterpret_cast<const Words*>(&row[(tid() & 15) * 4 + (kFault ? a.k : 0)]);  // FOUND lds_vector_at_the_end
  a.out[tid()] = q[0] + q[1] + q[2] + q[3];
}
TRIAD(lds_vector_at_the_end, 32)

// An index into a private array that nobody checked.
template <bool kFault>
__device__ void private_array(const Args& a) {
  volatile u32 t[64];
  for (int i = 0; i < 64; ++i) t[i] = a.in[i];
  const int at = kFault ? tid() + a.m : tid();
  a.out[tid()] = t[at];  // FOUND private_array
}
TRIAD(private_array, 32)
