// The kernels of the capture kit: each runs one instruction on operands of its own (scalar_probes.inc,
// matrix_probes.inc). On clang alone: no HIP headers and no device libraries.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

using u32 = unsigned;

#if defined(__GFX12__)
#define W4_ON_gfx11(...)
#define W4_ON_gfx12(...) __VA_ARGS__
#define WAIT_LDS "\ns_wait_dscnt 0x0"
#else
#define W4_ON_gfx11(...) __VA_ARGS__
#define W4_ON_gfx12(...)
#define WAIT_LDS "\ns_waitcnt lgkmcnt(0)"
#endif
#define W4_ON_both(...) __VA_ARGS__

// Denormals of fp32, and those of fp16 and fp64.
#define FLUSH(text) "s_denorm_mode 0\n" text "\ns_denorm_mode 15"
#define FLUSH_RESULTS(text) "s_denorm_mode 5\n" text "\ns_denorm_mode 15"
#define FLUSH_SOURCES(text) "s_denorm_mode 10\n" text "\ns_denorm_mode 15"
// Lanes 0, 1, 4, 6, 7, 9, 12, 13, … of the wave. EXEC is kept where no VALU instruction has read a
// mask: gfx11 wants a wait between that and an SALU write.
#define SOME_LANES(text) \
  "s_mov_b32 s22, exec_lo\ns_mov_b32 exec_lo, 0x5ac932d3\ns_nop 4\n" text "\ns_mov_b32 exec_lo, s22"
// Lane 15 of a row takes what s21's highest four bits name.
#define SELECT(text) "s_mov_b32 s20, 0x76a10f3c\ns_mov_b32 s21, 0x98dcbe52\ns_nop 4\n" text

// a, b, c and d are arrays of a word for each lane of the grid.
#define ON(families, kernel, instruction, form, A, B, C, RESULT, text)                                           \
  W4_ON_##families(                                                                                             \
      __global__ void __attribute__((amdgpu_flat_work_group_size(32, 32)))                                      \
          kernel(const u32* a, const u32* b, const u32* c, u32* d) {                                            \
        const u32 i = __builtin_amdgcn_workgroup_id_x() * 32 + __builtin_amdgcn_workitem_id_x();                \
        u32 r = c[i];                                                                                           \
        asm volatile(text : "+v"(r) : "v"(a[i]), "v"(b[i]), "v"(c[i]) : "s20", "s21", "s22");                   \
        d[i] = r;                                                                                               \
      })
extern "C" {
#include "campaign/capture/scalar_probes.inc"
}
#undef ON

template <int kWords>
using Words = u32 __attribute__((ext_vector_type(kWords)));
template <int kWords>
struct Registers {
  using type = Words<kWords>;
};
template <>
struct Registers<1> {
  using type = u32;
};

// Register r of lane l of tile t is word (t * registers + r) * 32 + l.
template <int kWords>
__device__ inline typename Registers<kWords>::type load(const u32* from, u32 tile, u32 lane) {
  if constexpr (kWords == 1) {
    return from[tile * 32 + lane];
  } else {
    Words<kWords> v;
    for (int r = 0; r < kWords; ++r) v[r] = from[(tile * kWords + static_cast<u32>(r)) * 32 + lane];
    return v;
  }
}

#if defined(__GFX12__)
#define W4_PICK(on11, on12) on12
#else
#define W4_PICK(on11, on12) on11
#endif
// A tile a block.
#define ON(families, kernel, instruction, form, INPUTS, SUMS, A11, A12, C12, text)                              \
  W4_ON_##families(                                                                                             \
      __global__ void __attribute__((amdgpu_flat_work_group_size(32, 32)))                                      \
          kernel(const u32* a, const u32* b, const u32* c, u32* d) {                                            \
        constexpr int kIn = W4_PICK(A11, A12), kOut = W4_PICK(8, C12);                                          \
        const u32 tile = __builtin_amdgcn_workgroup_id_x(), lane = __builtin_amdgcn_workitem_id_x();            \
        const auto x = load<kIn>(a, tile, lane), y = load<kIn>(b, tile, lane);                                  \
        auto s = load<kOut>(c, tile, lane);                                                                     \
        asm volatile(text : "+v"(s) : "v"(x), "v"(y));                                                          \
        for (int r = 0; r < kOut; ++r) d[(tile * kOut + static_cast<u32>(r)) * 32 + lane] = s[r];               \
      })
extern "C" {
#include "campaign/capture/matrix_probes.inc"
}
