// The device side of the example: a skinny W4A16 GEMM, one wave for each column of the output.
//   out[m,n] = fp16( sum_k act[m,k] * fp32((wei[n,k] - z[n,k div G]) * scale[n,k div G]) + bias )
//   act [M,K] fp16   wei [N,K/2] shuffled   scale [N,K/G]   out [M,N]   M = 1..5
// Blocks of (32, SKINNY_WAVES). Compiler builtins only: no HIP headers are needed.
#include "skinny.h"

#define DEVICE __attribute__((device, always_inline)) inline

namespace {

using Half = _Float16;

DEVICE unsigned lane() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE unsigned wave() {
  return __builtin_amdgcn_readfirstlane(__builtin_amdgcn_workitem_id_y());
}

DEVICE float from_lane(float v, unsigned which) {
  return __builtin_bit_cast(
      float, __builtin_amdgcn_ds_bpermute(static_cast<int>(4 * which), __builtin_bit_cast(int, v)));
}

enum class Zp { none, packed, unpacked };

template <Zp zp>
DEVICE float zero(const SkinnyArgs& a, unsigned n, unsigned g) {
  const unsigned groups = a.groups;
  if (zp == Zp::packed) {
    const auto* words = reinterpret_cast<const unsigned*>(a.zp);
    return static_cast<float>(words[n / 8 * groups + g] >> (4 * (n % 8)) & 15);
  }
  if (zp == Zp::unpacked) return static_cast<float>(reinterpret_cast<const Half*>(a.zp)[n * groups + g]);
  return 8;
}

template <unsigned G, Zp zp, bool staged>
DEVICE void skinny(const SkinnyArgs& a) {
  static __attribute__((shared)) Half lds[SKINNY_LDS];
  const auto* act = reinterpret_cast<const Half*>(a.act);
  if (staged) {
    for (unsigned i = wave() * 32 + lane(); i < a.m * a.k; i += 32 * SKINNY_WAVES) lds[i] = act[i];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  }
  const unsigned n = __builtin_amdgcn_workgroup_id_x() * SKINNY_WAVES + wave();
  if (n >= a.n) return;
  const auto* words = reinterpret_cast<const unsigned*>(a.wei) + n * (a.k / 8);
  const auto* scale = reinterpret_cast<const Half*>(a.scale) + n * a.groups;
  float sum[SKINNY_M] = {};
  for (unsigned w = lane(); w < a.k / 8; w += 32) {
    const unsigned word = words[w], g = 8 * w / G;
    const float s = static_cast<float>(scale[g]), z = zero<zp>(a, n, g);
#pragma unroll
    for (unsigned j = 0; j < 8; j++) {
      const unsigned q = word >> (4 * (j / 2 + j % 2 * 4)) & 15;
      const float weight = (static_cast<float>(q) - z) * s;
#pragma unroll
      for (unsigned m = 0; m < SKINNY_M; m++) {
        if (m >= a.m) break;
        const unsigned at = m * a.k + 8 * w + j;
        sum[m] = __builtin_fmaf(static_cast<float>(staged ? lds[at] : act[at]), weight, sum[m]);
      }
    }
  }
#pragma unroll
  for (unsigned m = 0; m < SKINNY_M; m++) {
    if (m >= a.m) break;
#pragma unroll
    for (unsigned far = 16; far > 0; far /= 2) sum[m] += from_lane(sum[m], lane() ^ far);
    if (lane() != 0) continue;
    if (a.bias != 0) {
      const auto* bias = reinterpret_cast<const Half*>(a.bias);
      sum[m] += static_cast<float>(bias[m * a.bias_m_stride + n * a.bias_n_stride]);
    }
    reinterpret_cast<Half*>(a.out)[m * a.n + n] = static_cast<Half>(sum[m]);
  }
}

}  // namespace

#define KERNEL(G, ZP, FORM, STAGED)                                                           \
  extern "C" __attribute__((global, amdgpu_flat_work_group_size(32 * SKINNY_WAVES,            \
                                                                32 * SKINNY_WAVES))) void     \
  skinny_g##G##_##ZP##_##FORM(SkinnyArgs a) {                                                 \
    skinny<G, Zp::ZP, STAGED>(a);                                                             \
  }
#define FORMS(G, ZP) KERNEL(G, ZP, lds, true) KERNEL(G, ZP, global, false)
#define GROUP(G) FORMS(G, none) FORMS(G, packed) FORMS(G, unpacked)
GROUP(32)
GROUP(64)
GROUP(128)
