// The CPU as a target of device.h: one lane is one fiber of the host device, cross-lane moves and
// barriers are waits. Arithmetic is the compiler's own scalar code, but for the dot products and
// the matrix products, whose model is the launch's choice.
#pragma once

#include "devices/host_lane.h"

#define W4_DEVICE inline
#define W4_KERNEL(threads) extern "C" void
#define W4_SHARED(T, name, elements)                                  \
  static char name##_tag;                                             \
  T* const name = static_cast<T*>(w4::device::this_lane->ops->shared( \
      *w4::device::this_lane, &name##_tag, sizeof(T) * (elements)))

namespace w4::device {

// The lane that runs on this thread: set where it starts and whenever it comes back from a wait.
inline constinit thread_local HostLane* this_lane = nullptr;

inline uint32_t lane() { return this_lane->id[0]; }
inline uint32_t wave() { return this_lane->id[1]; }
inline uint32_t block() { return this_lane->group[0]; }

inline void barrier() {
  HostLane* const me = this_lane;
  me->ops->barrier(*me);
  this_lane = me;
}

inline const uint32_t* exchange(const char* what, float v) {
  HostLane* const me = this_lane;
  const uint32_t* const all = me->ops->exchange(*me, what, __builtin_bit_cast(uint32_t, v));
  this_lane = me;
  return all;
}

inline float dot2(Half2 a, Half2 b, float acc) {
  return this_lane->ops->dot2_f16(__builtin_bit_cast(uint32_t, a), __builtin_bit_cast(uint32_t, b),
                                  acc);
}
inline float dot2_bf16(uint32_t a, uint32_t b, float acc) {
  return this_lane->ops->dot2_bf16(a, b, acc);
}

inline uint32_t high_halves(uint32_t a, uint32_t b) { return a >> 16 | (b & 0xffff0000u); }

// Rounded once: clang goes through float, which rounds twice. The product is exact in double, and
// where the sum is not, its last bits are too far from fp16's to decide a rounding.
inline Half fma(Half a, Half b, Half c) {
  return static_cast<Half>(
      __builtin_fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
}
inline Half2 fma(Half2 a, Half2 b, Half2 c) { return {fma(a.x, b.x, c.x), fma(a.y, b.y, c.y)}; }

template <int by>
float row_shift_right(float v) {
  const uint32_t* const all = exchange(__PRETTY_FUNCTION__, v);
  const uint32_t from = lane() % 16;
  return __builtin_bit_cast(float, from < by ? 0u : all[lane() - by]);
}

inline float swap_rows(float v) {
  return __builtin_bit_cast(float, exchange(__PRETTY_FUNCTION__, v)[lane() ^ 16]);
}

// The host device's layout of matrix tiles (devices/host_lane.h).
inline constexpr uint32_t kMatrixRowStep = 1;
inline uint32_t matrix_first_row() { return 8 * (lane() / kMatrix); }
inline uint32_t matrix_column() { return lane() % kMatrix; }
template <class T>
struct MatrixA {
  Words4 words;
};
template <class T>
struct MatrixB {
  Words4 words;
};
struct MatrixSum {
  float of[8];
};
inline MatrixSum in_rows(const MatrixSum& sum) { return sum; }
template <class T>
const T* line_of(const T* from, uint32_t pitch) {
  return from + lane() % kMatrix * pitch + 8 * (lane() / kMatrix);
}
template <class T>
MatrixA<T> load_a(const T* from, uint32_t pitch) {
  return {*reinterpret_cast<const Words4*>(line_of(from, pitch))};
}
template <class T>
MatrixB<T> load_b(const T* from, uint32_t pitch) {
  return {*reinterpret_cast<const Words4*>(line_of(from, pitch))};
}
template <class T>
MatrixSum multiply_add(MatrixA<T> a, MatrixB<T> b, MatrixSum c) {
  HostLane* const me = this_lane;
  HostMatrix ab{__is_same(T, Half) ? HostType::f16 : HostType::bf16, {}, {}};
  __builtin_memcpy(ab.a, &a.words, sizeof(ab.a));
  __builtin_memcpy(ab.b, &b.words, sizeof(ab.b));
  me->ops->multiply_add(*me, __PRETTY_FUNCTION__, ab, c.of);
  this_lane = me;
  return c;
}

template <class V>
V load_shared(const void* from) {
  return *static_cast<const V*>(from);
}
template <class V>
V load_global(const void* from) {
  return *static_cast<const V*>(from);
}

}  // namespace w4::device
