// The prefill GEMM (contract.md 7): weights are dequantised on their way to LDS.
//   out[m,n] = fl_T( fl_T( sum_k act[m,k] * w[n,k] ) + bias )     w: gemm_source.h
//   act [M,K]   wei [N,K/2] bytes, shuffled, or dense [N,K]   scale [N,K/G]   out [M,N]   M >= 1
//
// A workgroup makes BM x BN of the output. Workgroups are numbered along M first: neighbours share
// their weights. Rows past M and columns past N are computed from the last row or column and not
// stored. W4_ACT (Half or Bf16) and W4_ACT_NAME choose the object's type; the group size is an
// argument. Offsets have 64 bits.
#include "kernels/gemm_source.h"
#include "kernels/gemm_tile.h"
#include "kernels/prefill_args.h"

namespace w4::device {

enum class PrefillForm { symmetric, packed, unpacked, dense, carrier };

template <class T>
struct PrefillOperands {
  const T* act;
  const void* wei;
  const T* scale;
  const void* zp;
  const T* bias;
  T* out;
  int64_t act_stride, wei_stride, scale_stride, zp_stride;
  uint32_t bias_n_stride, bias_m_stride, out_stride, m, n, k, group_shift;
  uint32_t tiles_m, tiles_factor, tiles_shift;
};

template <class T>
struct PrefillRow {
  const PrefillOperands<T>& o;
  uint32_t m0;
  W4_DEVICE const T* operator()(uint32_t row) const {
    const uint32_t last = o.m - m0 - 1;
    return o.act + int64_t{m0 + (row < last ? row : last)} * o.act_stride;
  }
};

template <class T>
struct PrefillStore {
  const PrefillOperands<T>& o;
  uint32_t m0, n0;
  W4_DEVICE void operator()(uint32_t row, uint32_t column, const MatrixSum& sums) const {
    if (row >= o.m - m0 || column >= o.n - n0) return;
    const uint32_t rows = o.m - m0 - row;
    const uint64_t m = m0 + row, n = n0 + column;
    const T* bias = o.bias + m * o.bias_m_stride + n * o.bias_n_stride;
    T* out = o.out + m * o.out_stride + n;
    for_each(sums, [&](uint32_t i, float sum) {
      // From row to row by addition: a product of 64 bits for each would be a fifth of the work.
      if (kMatrixRowStep * i < rows) {
        T value = round_to<T>(sum);
        if (o.bias != nullptr) value = add(value, *bias);
        *out = value;
      }
      bias += kMatrixRowStep * uint64_t{o.bias_m_stride};
      out += kMatrixRowStep * uint64_t{o.out_stride};
    });
  }
};

template <class T, class Shape, PrefillForm form>
W4_DEVICE void prefill(const PrefillOperands<T>& o) {
  W4_SHARED(T, lds, Shape::kLdsElements);
  const auto tile_n = static_cast<uint32_t>(uint64_t{block()} * o.tiles_factor >> o.tiles_shift);
  const uint32_t m0 = (block() - tile_n * o.tiles_m) * Shape::kBm;
  const uint32_t n0 = tile_n * Shape::kBn;
  const PrefillRow<T> row{o, m0};
  const PrefillStore<T> store{o, m0, n0};
  if constexpr (form == PrefillForm::dense) {
    const DenseSource<T> source{static_cast<const T*>(o.wei), o.wei_stride};
    gemm_tile<T, Shape>(lds, row, source, n0, o.n, o.k, o.group_shift, store);
  } else if constexpr (form == PrefillForm::carrier) {
    const CarrierSource<T> source{static_cast<const uint8_t*>(o.wei),
                                  static_cast<const uint32_t*>(o.zp), o.wei_stride, o.zp_stride};
    gemm_tile<T, Shape>(lds, row, source, n0, o.n, o.k, o.group_shift, store);
  } else {
    constexpr Zp kZp = form == PrefillForm::symmetric ? Zp::symmetric
                       : form == PrefillForm::packed  ? Zp::packed
                                                      : Zp::unpacked;
    const PackedSource<T, kZp> source{static_cast<const uint8_t*>(o.wei),
                                      o.scale,
                                      o.zp,
                                      o.wei_stride,
                                      o.scale_stride,
                                      o.zp_stride};
    gemm_tile<T, Shape>(lds, row, source, n0, o.n, o.k, o.group_shift, store);
  }
}

}  // namespace w4::device

#define W4_PREFILL_NAME2(BM, BN, BK, ACT, FORM) w4_prefill_bm##BM##bn##BN##bk##BK##_##ACT##_##FORM
#define W4_PREFILL_NAME(BM, BN, BK, ACT, FORM) W4_PREFILL_NAME2(BM, BN, BK, ACT, FORM)

#define W4_PREFILL_KERNEL(FORM, BM, BN, BK, ROWS, COLUMNS)                                         \
  W4_KERNEL(32 * ROWS * COLUMNS)                                                                   \
  W4_PREFILL_NAME(BM, BN, BK, W4_ACT_NAME, FORM)(                                                  \
      const w4::device::W4_ACT* __restrict__ act, const void* __restrict__ wei,                    \
      const w4::device::W4_ACT* __restrict__ scale, const void* __restrict__ zp,                   \
      const w4::device::W4_ACT* __restrict__ bias, w4::device::W4_ACT* __restrict__ out,           \
      int64_t act_stride, int64_t wei_stride, int64_t scale_stride, int64_t zp_stride,             \
      uint32_t bias_n_stride, uint32_t bias_m_stride, uint32_t out_stride, uint32_t m, uint32_t n, \
      uint32_t k, uint32_t group_shift, uint32_t tiles_m, uint32_t tiles_factor,                   \
      uint32_t tiles_shift) {                                                                      \
    using namespace w4::device;                                                                    \
    prefill<W4_ACT, GemmShape<BM, BN, BK, ROWS, COLUMNS>, PrefillForm::FORM>({act,                 \
                                                                              wei,                 \
                                                                              scale,               \
                                                                              zp,                  \
                                                                              bias,                \
                                                                              out,                 \
                                                                              act_stride,          \
                                                                              wei_stride,          \
                                                                              scale_stride,        \
                                                                              zp_stride,           \
                                                                              bias_n_stride,       \
                                                                              bias_m_stride,       \
                                                                              out_stride,          \
                                                                              m,                   \
                                                                              n,                   \
                                                                              k,                   \
                                                                              group_shift,         \
                                                                              tiles_m,             \
                                                                              tiles_factor,        \
                                                                              tiles_shift});       \
  }
#define W4_PREFILL_PACKED_KERNELS(BM, BN, BK, ROWS, COLUMNS) \
  W4_PREFILL_PACKED(W4_PREFILL_KERNEL, BM, BN, BK, ROWS, COLUMNS)
#define W4_PREFILL_OTHER_KERNELS(BM, BN, BK, ROWS, COLUMNS) \
  W4_PREFILL_OTHERS(W4_PREFILL_KERNEL, BM, BN, BK, ROWS, COLUMNS)

W4_PREFILL_TILES(W4_PREFILL_PACKED_KERNELS)
W4_PREFILL_TILES_32(W4_PREFILL_OTHER_KERNELS)
