// NVIDIA GPUs as a target of device.h: a second machine with real concurrency under the same
// source. Compiled to PTX, which the driver translates when it is loaded (devices/cuda_api.h).
#pragma once

#define W4_DEVICE __attribute__((device, always_inline)) inline
#define W4_KERNEL(threads) extern "C" __attribute__((global, launch_bounds(threads))) void
// Static arrays end at 48 KiB there, so this one is the launch's dynamic memory, of which a kernel
// has one block. The comment tells the cuda device how many bytes of it the kernel wants.
#define W4_SHARED(T, name, elements)                                    \
  asm volatile("// w4.shared %0" : : "n"(int(sizeof(T) * (elements)))); \
  T* const name = (T*)w4::device::w4_shared

namespace w4::device {

extern __attribute__((shared)) Words4 w4_shared[];

W4_DEVICE uint32_t lane() { return __nvvm_read_ptx_sreg_tid_x(); }
W4_DEVICE uint32_t wave() { return __nvvm_read_ptx_sreg_tid_y(); }
W4_DEVICE uint32_t block() { return __nvvm_read_ptx_sreg_ctaid_x(); }

// Threads that have ended do not count, as on the other targets.
W4_DEVICE void barrier() { __syncthreads(); }

// Two roundings: there is no such instruction.
W4_DEVICE float dot2(Half2 a, Half2 b, float acc) {
  acc = __builtin_fmaf(static_cast<float>(a.x), static_cast<float>(b.x), acc);
  return __builtin_fmaf(static_cast<float>(a.y), static_cast<float>(b.y), acc);
}
W4_DEVICE float dot2_bf16(uint32_t a, uint32_t b, float acc) {
  const auto low = [](uint32_t v) { return __builtin_bit_cast(float, v << 16); };
  const auto high = [](uint32_t v) { return __builtin_bit_cast(float, v & 0xffff0000u); };
  acc = __builtin_fmaf(low(a), low(b), acc);
  return __builtin_fmaf(high(a), high(b), acc);
}

W4_DEVICE uint32_t high_halves(uint32_t a, uint32_t b) { return a >> 16 | (b & 0xffff0000u); }

W4_DEVICE Half2 fma(Half2 a, Half2 b, Half2 c) { return __builtin_elementwise_fma(a, b, c); }

template <int by>
W4_DEVICE float row_shift_right(float v) {
  // Segments of 16 lanes.
  const int moved =
      __nvvm_shfl_sync_up_i32(0xffffffffu, __builtin_bit_cast(int, v), by, (32 - 16) << 8);
  return lane() % 16 < by ? 0.0f : __builtin_bit_cast(float, moved);
}

W4_DEVICE float swap_rows(float v) {
  return __builtin_bit_cast(
      float, __nvvm_shfl_sync_bfly_i32(0xffffffffu, __builtin_bit_cast(int, v), 16, 31));
}

template <class V>
W4_DEVICE V load_shared(const void* from) {
  return *(const __attribute__((address_space(3))) V*)from;
}
template <class V>
W4_DEVICE V load_global(const void* from) {
  return *(const __attribute__((address_space(1))) V*)from;
}

// Matrix tiles on mma.m16n8k16, whose first operand is B here, two products side by side: a lane
// then has two columns, lane / 4 and 8 further, of four rows each. in_rows() trades halves with the
// neighbour, so that each has one column. The rows of A enter in the order in which the lane's rows
// follow each other afterwards.
inline constexpr uint32_t kMatrixRowStep = 1;
W4_DEVICE uint32_t matrix_first_row() { return 8 * (lane() % 4 / 2); }
W4_DEVICE uint32_t matrix_column() { return lane() / 4 + 8 * (lane() % 2); }

template <class T>
struct MatrixA {
  uint32_t words[2][2];
};
template <class T>
struct MatrixB {
  uint32_t words[4];
};
struct MatrixSum {
  float of[8];  // [product][column][row]
};

template <class T>
W4_DEVICE uint32_t load_pair(const T* from, uint32_t pitch, uint32_t line, uint32_t k) {
  return load_shared<uint32_t>(from + line * pitch + k);
}
template <class T>
W4_DEVICE MatrixA<T> load_a(const T* from, uint32_t pitch) {
  MatrixA<T> a;
  const uint32_t n = lane() / 4, k = 2 * (lane() % 4);
#pragma unroll
  for (uint32_t product = 0; product < 2; product++) {
    const uint32_t row = 8 * (n / 4) + 4 * product + n % 4;
    a.words[product][0] = load_pair(from, pitch, row, k);
    a.words[product][1] = load_pair(from, pitch, row, k + 8);
  }
  return a;
}
template <class T>
W4_DEVICE MatrixB<T> load_b(const T* from, uint32_t pitch) {
  const uint32_t column = lane() / 4, k = 2 * (lane() % 4);
  return {{load_pair(from, pitch, column, k), load_pair(from, pitch, column + 8, k),
           load_pair(from, pitch, column, k + 8), load_pair(from, pitch, column + 8, k + 8)}};
}

#define W4_MMA(TYPE)                                                                            \
  asm("mma.sync.aligned.m16n8k16.row.col.f32." TYPE "." TYPE                                    \
      ".f32 {%0,%1,%2,%3},"                                                                     \
      " {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                                                 \
      : "+f"(c.of[4 * i]), "+f"(c.of[4 * i + 1]), "+f"(c.of[4 * i + 2]), "+f"(c.of[4 * i + 3])  \
      : "r"(b.words[0]), "r"(b.words[1]), "r"(b.words[2]), "r"(b.words[3]), "r"(a.words[i][0]), \
        "r"(a.words[i][1]))
template <class T>
W4_DEVICE MatrixSum multiply_add(MatrixA<T> a, MatrixB<T> b, MatrixSum c) {
#pragma unroll
  for (int i = 0; i < 2; i++) {
    if constexpr (__is_same(T, Half)) {
      W4_MMA("f16");
    } else {
      W4_MMA("bf16");
    }
  }
  return c;
}
#undef W4_MMA

W4_DEVICE MatrixSum in_rows(const MatrixSum& sum) {
  const bool odd = lane() % 2 != 0;
  MatrixSum out;
#pragma unroll
  for (int i = 0; i < 2; i++) {
#pragma unroll
    for (int row = 0; row < 2; row++) {
      // What the neighbour keeps of mine: the first column where it is even.
      const float low = sum.of[4 * i + row], high = sum.of[4 * i + 2 + row];
      const float theirs = __builtin_bit_cast(
          float,
          __nvvm_shfl_sync_bfly_i32(0xffffffffu, __builtin_bit_cast(int, odd ? low : high), 1, 31));
      // Rows 4 i + 0, 1 are the even lane's, 2, 3 the odd lane's.
      out.of[4 * i + row] = odd ? theirs : low;
      out.of[4 * i + 2 + row] = odd ? high : theirs;
    }
  }
  return out;
}

}  // namespace w4::device
