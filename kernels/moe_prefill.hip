// MoE prefill (contract.md 12): a block is block_m = BM = 16, 32 or 64 rows of one expert, and a
// workgroup makes BN columns of it with the tile of the prefill kernel:
//   out[s,n] = fl_T( sum_k x[s,k] * fl_T( (wei[e,n,k] - z[e,n,k div G]) * scale[e,n,k div G] ) )
//   wei [E,N,K/2] bytes, shuffled   scale [E,N,K/G]   out [S,N]
// Which slot s, activations x and expert e a row of a block has is as in moe.hip: padding is neither
// read nor stored, rows without an expert are zeros. W4_ACT (Half or Bf16) and W4_ACT_NAME choose
// the object's type; the group size is an argument.
#include "kernels/gemm_source.h"
#include "kernels/gemm_tile.h"
#include "kernels/moe_prefill_args.h"

namespace w4::device {

template <class T>
struct MoePrefillOperands {
  const T* act;
  const uint8_t* wei;
  const T* scale;
  const uint32_t* zp;
  T* out;
  const uint32_t* expert_ids;
  const uint32_t* sorted_ids;
  int64_t act_stride, wei_stride, scale_stride, out_stride, wei_expert, scale_expert, zp_expert;
  uint32_t n, k, group_shift, experts, blocks, rows, top_k;
};

// The rows of a block in the output; `rows` and above are nobody's.
template <class T>
struct MoeSlots {
  const MoePrefillOperands<T>& o;
  uint32_t first;  // row of the first block's first row
  W4_DEVICE uint32_t operator()(uint32_t row) const {
    return o.sorted_ids == nullptr ? first + row : o.sorted_ids[first + row];
  }
};

// Padding takes the first activations: always there, and never stored.
template <class T>
struct MoeActRow {
  const MoePrefillOperands<T>& o;
  const MoeSlots<T>& slots;
  W4_DEVICE const T* operator()(uint32_t row) const {
    const uint32_t slot = slots(row);
    return o.act + int64_t{slot < o.rows ? slot / o.top_k : 0} * o.act_stride;
  }
};

template <class T>
struct MoeMatrixStore {
  const MoePrefillOperands<T>& o;
  const MoeSlots<T>& slots;
  uint32_t n0;
  W4_DEVICE void operator()(uint32_t row, uint32_t column, const MatrixSum& sums) const {
    if (column >= o.n - n0) return;
    for_each(sums, [&](uint32_t i, float sum) {
      const uint32_t slot = slots(row + kMatrixRowStep * i);
      if (slot < o.rows) o.out[slot * o.out_stride + n0 + column] = round_to<T>(sum);
    });
  }
};

template <class T, class Shape, Zp zp>
W4_DEVICE void moe_prefill(const MoePrefillOperands<T>& o) {
  W4_SHARED(T, lds, Shape::kLdsElements);
  const uint32_t b = block() % o.blocks;
  const uint32_t n0 = block() / o.blocks * Shape::kBn;
  const MoeSlots<T> slots{o, b * Shape::kBm};
  const uint32_t e = o.expert_ids[b];
  if (e >= o.experts) {
    for (uint32_t i = wave() * kLanes + lane(); i < Shape::kBm * Shape::kBn; i += Shape::kThreads) {
      const uint32_t slot = slots(i / Shape::kBn);
      const uint32_t column = i % Shape::kBn;
      if (slot < o.rows && column < o.n - n0) o.out[slot * o.out_stride + n0 + column] = T{};
    }
    return;
  }
  const PackedSource<T, zp> source{o.wei + e * o.wei_expert,
                                   o.scale + e * o.scale_expert,
                                   zp == Zp::packed ? o.zp + e * o.zp_expert : o.zp,
                                   o.wei_stride,
                                   o.scale_stride,
                                   o.scale_stride};
  gemm_tile<T, Shape>(lds, MoeActRow<T>{o, slots}, source, n0, o.n, o.k, o.group_shift,
                      MoeMatrixStore<T>{o, slots, n0});
}

}  // namespace w4::device

#define W4_MOE_PREFILL_NAME2(BM, BN, BK, ACT, ZP) \
  w4_moe_prefill_bm##BM##bn##BN##bk##BK##_##ACT##_##ZP
#define W4_MOE_PREFILL_NAME(BM, BN, BK, ACT, ZP) W4_MOE_PREFILL_NAME2(BM, BN, BK, ACT, ZP)

#define W4_MOE_PREFILL_KERNEL(BM, BN, BK, ROWS, COLUMNS, ZP)                                     \
  W4_KERNEL(32 * ROWS * COLUMNS)                                                                 \
  W4_MOE_PREFILL_NAME(BM, BN, BK, W4_ACT_NAME, ZP)(                                              \
      const w4::device::W4_ACT* __restrict__ act, const uint8_t* __restrict__ wei,               \
      const w4::device::W4_ACT* __restrict__ scale, const uint32_t* __restrict__ zp,             \
      w4::device::W4_ACT* __restrict__ out, const uint32_t* __restrict__ expert_ids,             \
      const uint32_t* __restrict__ sorted_ids, int64_t act_stride, int64_t wei_stride,           \
      int64_t scale_stride, int64_t out_stride, int64_t wei_expert, int64_t scale_expert,        \
      int64_t zp_expert, uint32_t n, uint32_t k, uint32_t group_shift, uint32_t experts,         \
      uint32_t blocks, uint32_t rows, uint32_t top_k) {                                          \
    using namespace w4::device;                                                                  \
    moe_prefill<W4_ACT, GemmShape<BM, BN, BK, ROWS, COLUMNS>, Zp::ZP>(                           \
        {act, wei, scale, zp, out, expert_ids, sorted_ids, act_stride, wei_stride, scale_stride, \
         out_stride, wei_expert, scale_expert, zp_expert, n, k, group_shift, experts, blocks,    \
         rows, top_k});                                                                          \
  }
#define W4_MOE_PREFILL_BOTH(BM, BN, BK, ROWS, COLUMNS)        \
  W4_MOE_PREFILL_KERNEL(BM, BN, BK, ROWS, COLUMNS, symmetric) \
  W4_MOE_PREFILL_KERNEL(BM, BN, BK, ROWS, COLUMNS, packed)

W4_MOE_PREFILL_TILES(W4_MOE_PREFILL_BOTH)
