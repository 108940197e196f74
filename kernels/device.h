// What device code needs of its target, and the only place with a condition on it: ids, barrier,
// cross-lane moves, two-element dot products, matrix tiles, wide loads and the 16-bit number
// formats.
//
// Built on compiler builtins alone: no HIP headers, no device libraries, so that the same bytes
// come out of the same compiler anywhere. The CPU's side: device_host.h; NVIDIA's: device_cuda.h.
#pragma once

#include <stdint.h>

#if defined(__NVPTX__)
// device_cuda.h, below.
#elif defined(__AMDGCN__)
#define W4_DEVICE __attribute__((device, always_inline)) inline
#define W4_KERNEL(threads) \
  extern "C" __attribute__((global, amdgpu_flat_work_group_size(threads, threads))) void
// An array of the workgroup, aligned for 16-byte accesses.
#define W4_SHARED(T, name, elements) \
  static __attribute__((shared)) T name[elements] __attribute__((aligned(16)))
#elif defined(__HIP__)
// HIP's host pass only parses.
#define W4_DEVICE __attribute__((device)) inline
#define W4_KERNEL(threads) extern "C" __attribute__((global)) void
#define W4_SHARED(T, name, elements) static __attribute__((shared)) T name[elements]
#elif !defined(W4_HOST_LANES)
#error "kernels/device.h: no such target; legal: AMDGPU (HIP), NVIDIA, the CPU (W4_HOST_LANES)"
#endif

namespace w4::device {

template <class T>
using Pair = T __attribute__((ext_vector_type(2)));
using Words2 = uint32_t __attribute__((ext_vector_type(2)));
using Words4 = uint32_t __attribute__((ext_vector_type(4)));

using Half = _Float16;
using Half2 = Pair<Half>;
// Bits only: no target does bf16 arithmetic in registers as such.
struct Bf16 {
  uint16_t bits;
};

inline constexpr uint32_t kLanes = 32;
inline constexpr uint32_t kMatrix = 16;  // rows, columns and depth of a matrix tile

}  // namespace w4::device

#if defined(W4_HOST_LANES)
#include "kernels/device_host.h"
#elif defined(__NVPTX__)
#include "kernels/device_cuda.h"
#else
namespace w4::device {

W4_DEVICE uint32_t lane() { return __builtin_amdgcn_workitem_id_x(); }
// Blocks are (32, waves): the y index is the same in all lanes, and readfirstlane says so to the
// compiler, which then keeps row addresses in scalar registers.
W4_DEVICE uint32_t wave() {
  return __builtin_amdgcn_readfirstlane(__builtin_amdgcn_workitem_id_y());
}
W4_DEVICE uint32_t block() { return __builtin_amdgcn_workgroup_id_x(); }

W4_DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// acc + a.x*b.x + a.y*b.y; how often it rounds is the unit's business (rdna.md "Arithmetic").
W4_DEVICE float dot2(Half2 a, Half2 b, float acc) {
  return __builtin_amdgcn_fdot2(a, b, acc, false);
}
W4_DEVICE float dot2_bf16(uint32_t a, uint32_t b, float acc) {
  using Pair2 = __bf16 __attribute__((ext_vector_type(2)));
  return __builtin_amdgcn_fdot2_f32_bf16(__builtin_bit_cast(Pair2, a), __builtin_bit_cast(Pair2, b),
                                         acc, false);
}

// The high halves of both, a's below b's.
W4_DEVICE uint32_t high_halves(uint32_t a, uint32_t b) {
  return __builtin_amdgcn_perm(b, a, 0x07060302);
}

W4_DEVICE Half2 fma(Half2 a, Half2 b, Half2 c) { return __builtin_elementwise_fma(a, b, c); }

// The value of the lane `by` below in the row of 16; lanes that have none get +0. Bits are moved,
// not numbers: where the builtin takes int an implicit conversion would truncate (contract.md K32).
template <int by>
W4_DEVICE float row_shift_right(float v) {
  constexpr int kRowShr = 0x110;
  return __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(0, __builtin_bit_cast(int, v),
                                                               kRowShr + by, 0xf, 0xf, true));
}

// The value of lane xor 16. The empty asm keeps the exchange where it is written: clang 19 sinks an
// unpinned v_permlanex16 (and the add that feeds it) into a following branch of one lane, where the
// lane it reads from is inactive and the instruction returns `old`.
W4_DEVICE float swap_rows(float v) {
  int bits = __builtin_bit_cast(int, v);
  bits = __builtin_amdgcn_permlanex16(bits, bits, 0x76543210, 0xfedcba98, false, false);
  asm volatile("" : "+v"(bits));
  return __builtin_bit_cast(float, bits);
}

// Loads that name their memory: where both sides of a branch load, an unnamed pointer would make
// the compiler merge them into one flat load.
template <class V>
W4_DEVICE V load_shared(const void* from) {
  return *(const __attribute__((address_space(3))) V*)from;
}
template <class V>
W4_DEVICE V load_global(const void* from) {
  return *(const __attribute__((address_space(1))) V*)from;
}

// Matrix tiles of a wave, opaque: where an element lies is the arch's business, and only this file
// knows it (rdna/isa/README.md). A holds 16 rows, B 16 columns, of 16 elements along K each.
#if defined(__GFX12__)
using MatrixWords = Words4;  // a lane has 8 elements: those from 8 * (lane / 16)
inline constexpr uint32_t kMatrixRowStep = 1;
W4_DEVICE uint32_t matrix_first_row() { return 8 * (lane() / kMatrix); }
#else
// All 16, the same in lanes 0-15 and 16-31.
using MatrixWords = uint32_t __attribute__((ext_vector_type(8)));
inline constexpr uint32_t kMatrixRowStep = 2;
W4_DEVICE uint32_t matrix_first_row() { return lane() / kMatrix; }
#endif

template <class T>
struct MatrixA {
  MatrixWords words;
};
template <class T>
struct MatrixB {
  MatrixWords words;
};
struct MatrixSum {
  using Floats = float __attribute__((ext_vector_type(8)));
  Floats of;
};

// The lane's part of 16 lines (rows of A, columns of B); element (line, k) lies at
// from[line * pitch + k] in LDS. Lines start at multiples of 16 bytes.
template <class T>
W4_DEVICE MatrixWords load_lines(const T* from, uint32_t pitch) {
  const T* const line = from + lane() % kMatrix * pitch;
#if defined(__GFX12__)
  return load_shared<Words4>(line + 8 * (lane() / kMatrix));
#else
  const Words4 low = load_shared<Words4>(line), high = load_shared<Words4>(line + 8);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}
template <class T>
W4_DEVICE MatrixA<T> load_a(const T* from, uint32_t pitch) {
  return {load_lines(from, pitch)};
}
template <class T>
W4_DEVICE MatrixB<T> load_b(const T* from, uint32_t pitch) {
  return {load_lines(from, pitch)};
}

// a * b + c; its order of additions and how often it rounds are the unit's business.
W4_DEVICE MatrixSum multiply_add(MatrixA<Half> a, MatrixB<Half> b, MatrixSum c) {
  using Halves = Half __attribute__((ext_vector_type(sizeof(MatrixWords) / 2)));
  const Halves x = __builtin_bit_cast(Halves, a.words), y = __builtin_bit_cast(Halves, b.words);
#if defined(__GFX12__)
  return {__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, c.of)};
#else
  return {__builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, c.of)};
#endif
}
W4_DEVICE MatrixSum multiply_add(MatrixA<Bf16> a, MatrixB<Bf16> b, MatrixSum c) {
  using Bits = int16_t __attribute__((ext_vector_type(sizeof(MatrixWords) / 2)));
  const Bits x = __builtin_bit_cast(Bits, a.words), y = __builtin_bit_cast(Bits, b.words);
#if defined(__GFX12__)
  return {__builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(x, y, c.of)};
#else
  return {__builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(x, y, c.of)};
#endif
}

W4_DEVICE uint32_t matrix_column() { return lane() % kMatrix; }
// The sums such that those of a lane are of one column; all lanes of the wave together.
W4_DEVICE MatrixSum in_rows(const MatrixSum& sum) { return sum; }

}  // namespace w4::device
#endif

namespace w4::device {

W4_DEVICE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

// The sum over the wave, right in lanes 15 and 31, added in the order of contract.md 6.11.
W4_DEVICE float wave_sum(float v) {
  v += row_shift_right<8>(v);
  v += row_shift_right<4>(v);
  v += row_shift_right<2>(v);
  v += row_shift_right<1>(v);
  return v + swap_rows(v);
}

W4_DEVICE float to_float(Half h) { return static_cast<float>(h); }
W4_DEVICE float to_float(Bf16 h) {
  return __builtin_bit_cast(float, static_cast<uint32_t>(h.bits) << 16);
}

// Round to nearest, ties to even; NaN stays NaN, quieted.
template <class T>
W4_DEVICE T round_to(float f);
template <>
W4_DEVICE Half round_to<Half>(float f) {
  return static_cast<Half>(f);
}
template <>
W4_DEVICE Bf16 round_to<Bf16>(float f) {
  const uint32_t u = __builtin_bit_cast(uint32_t, f);
  const uint32_t rounded = u + 0x7fffu + ((u >> 16) & 1u);
  const bool nan = (u & 0x7fffffffu) > 0x7f800000u;
  return {static_cast<uint16_t>((nan ? u | 0x400000u : rounded) >> 16)};
}

// a + b in T, rounded once: the sum of two bf16 numbers rounded to fp32 and then to bf16 is that
// (24 bits are more than twice 8 and 2).
W4_DEVICE Half add(Half a, Half b) { return static_cast<Half>(a + b); }
W4_DEVICE Bf16 add(Bf16 a, Bf16 b) { return round_to<Bf16>(to_float(a) + to_float(b)); }

// The elements of a tile of sums that a lane holds after in_rows() lie in column matrix_column()
// and rows matrix_first_row() + kMatrixRowStep * i, i = 0..7: f(i, value) for each.
template <class F>
W4_DEVICE void for_each(const MatrixSum& sum, const F& f) {
#pragma unroll
  for (uint32_t i = 0; i < 8; i++) f(i, sum.of[i]);
}

// `from` aligned to `align` bytes only.
template <class V, int align>
W4_DEVICE V load_aligned(const void* from) {
  typedef V Unaligned __attribute__((aligned(align)));
  return *static_cast<const Unaligned*>(from);
}

// `from` aligned to `align` bytes only; weights are read once, so they need not stay in the cache.
template <class V, int align>
W4_DEVICE V load_once(const void* from) {
  typedef V Unaligned __attribute__((aligned(align)));
  return __builtin_nontemporal_load(static_cast<const Unaligned*>(from));
}

}  // namespace w4::device

// W4_SHARED_OF_LAUNCH: an array whose size the launch gives as its dynamic LDS; on the CPU always
// `most` elements.
// W4_ARGUMENTS_AGAIN: declares `name`, the kernel's arguments as the struct that they fill in their
// order, read from memory once more: a loop that takes them anew each time round keeps no registers
// for them meanwhile. `given`: the same struct, for the CPU.
// W4_UNIFORM: a number that all lanes have alike, and the compiler may keep in a scalar register.
#if defined(__AMDGCN__)
#define W4_UNIFORM(v) __builtin_amdgcn_readfirstlane(v)
#define W4_SHARED_OF_LAUNCH(T, name, most) \
  extern __attribute__((shared)) T name[] __attribute__((aligned(16)))
// After the asm the address is not one that was read before.
#define W4_ARGUMENTS_AGAIN(Args, name, given)                   \
  Args name;                                                    \
  {                                                             \
    auto* w4_from = __builtin_amdgcn_kernarg_segment_ptr();     \
    asm volatile("" : "+s"(w4_from));                           \
    __builtin_memcpy(&name, (const void*)w4_from, sizeof name); \
  }
#elif defined(__NVPTX__)
#define W4_SHARED_OF_LAUNCH(T, name, most) T* const name = (T*)w4::device::w4_shared
#else
#define W4_SHARED_OF_LAUNCH(T, name, most) W4_SHARED(T, name, most)
#endif
#if !defined(__AMDGCN__)
#define W4_ARGUMENTS_AGAIN(Args, name, given) const Args name = given
#define W4_UNIFORM(v) (v)
#endif
