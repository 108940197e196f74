// Kernels that map one, two or three input buffers to an output, element by element.
#pragma once

#include "tests/rdna/programs/mini.h"

#define MAP1(NAME, R, A, ...)                             \
  extern "C" __global__ void NAME(const A* in0, R* out) { \
    const u32 i = global_id();                            \
    const A a = in0[i];                                   \
    out[i] = static_cast<R>(__VA_ARGS__);                 \
  }
#define MAP2(NAME, R, A, B, ...)                                        \
  extern "C" __global__ void NAME(const A* in0, const B* in1, R* out) { \
    const u32 i = global_id();                                          \
    const A a = in0[i];                                                 \
    const B b = in1[i];                                                 \
    out[i] = static_cast<R>(__VA_ARGS__);                               \
  }
#define MAP3(NAME, R, A, B, C, ...)                                                   \
  extern "C" __global__ void NAME(const A* in0, const B* in1, const C* in2, R* out) { \
    const u32 i = global_id();                                                        \
    const A a = in0[i];                                                               \
    const B b = in1[i];                                                               \
    const C c = in2[i];                                                               \
    out[i] = static_cast<R>(__VA_ARGS__);                                             \
  }
