// For clang before 20, included before anything else: there the DPP builtins take int alone, and a
// float given to one is silently converted to the nearest integer, while sources written for later
// compilers mean its bits. Here they take any type of 1, 2 or 4 bytes, as clang 20 has them.
#pragma once

#if defined(__clang_major__) && __clang_major__ < 20 && defined(__HIP__)

#include <hip/hip_runtime.h>

namespace w4::torch_lite {

template <class T>
__device__ __forceinline__ int dpp_bits(T v) {
  static_assert(sizeof(T) <= 4,
                "torch_lite: a DPP builtin of clang before 20 moves 4 bytes at most");
  int bits = 0;
  __builtin_memcpy(&bits, &v, sizeof v);
  return bits;
}
template <class T>
__device__ __forceinline__ T dpp_value(T, int bits) {
  T v;
  __builtin_memcpy(&v, &bits, sizeof v);
  return v;
}

}  // namespace w4::torch_lite

#define __builtin_amdgcn_mov_dpp(V, ...) \
  ::w4::torch_lite::dpp_value(           \
      V, __builtin_amdgcn_mov_dpp(::w4::torch_lite::dpp_bits(V), __VA_ARGS__))
#define __builtin_amdgcn_update_dpp(OLD, V, ...)                      \
  ::w4::torch_lite::dpp_value(                                        \
      V, __builtin_amdgcn_update_dpp(::w4::torch_lite::dpp_bits(OLD), \
                                     ::w4::torch_lite::dpp_bits(V), __VA_ARGS__))

#endif
