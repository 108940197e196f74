// A device header for test programs on clang builtins alone: no ROCm package, 0.2 s a file.
#pragma once

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(n) __attribute__((amdgpu_flat_work_group_size(1, n)))

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long;
using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long;
using f16 = _Float16;

static inline __device__ u32 thread() { return __builtin_amdgcn_workitem_id_x(); }
static inline __device__ u32 block() { return __builtin_amdgcn_workgroup_id_x(); }
static inline __device__ u32 threads() { return __builtin_amdgcn_workgroup_size_x(); }
static inline __device__ u32 global_id() { return block() * threads() + thread(); }
static inline __device__ void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
static inline __device__ u32 lane() { return __builtin_amdgcn_mbcnt_lo(~0u, 0); }
// Workgroups of the grid in x: the first hidden argument of code object 5.
static inline __device__ u32 blocks() { return *(const u32*)__builtin_amdgcn_implicitarg_ptr(); }
