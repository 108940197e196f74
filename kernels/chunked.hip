// The skinny decode GEMM with no limit on K (contract.md 6, V3):
//   out[m,n] = round( sum_k act[m,k] * (wei[n,k] - z[n,k div G]) * scale[n,k div G] + bias )
//   act [M,K]   wei [N,K/2] bytes, shuffled   scale [N,K/G]   out [M,N]   M = 1..5
//
// Blocks of 16 waves, persistent over rows of the output. walk.h has the walk; here are the
// instantiations, (form, M, Y, U, A, G, type, zero points); W4_ACT (Half or Bf16), W4_ACT_NAME and
// W4_GROUP choose those of this object.
#include "kernels/chunked_args.h"
#include "kernels/walk.h"

namespace w4::device {

enum class Form { resident, chunked };

template <class T>
struct ActRows {
  const T* act;
  int64_t stride;
  W4_DEVICE Words4 piece(int m, uint32_t k) const {
    return load_global<Words4>(act + m * stride + k);
  }
  W4_DEVICE static constexpr bool skip(int) { return false; }
};

template <class T>
struct BiasedStore {
  const T* bias;
  T* out;
  int64_t bias_n_stride, bias_m_stride, out_stride;
  W4_DEVICE void operator()(int m, uint32_t n, float sum) const {
    if (bias != nullptr) sum += to_float(bias[n * bias_n_stride + m * bias_m_stride]);
    out[m * out_stride + n] = round_to<T>(sum);
  }
};

template <Form form, int M, int Y, int U, int A, int G, Zp zp, class T>
W4_DEVICE void chunked(const WalkOperands<T>& o, const ActRows<T>& act, const BiasedStore<T>& store,
                       uint32_t waves, uint32_t step, uint32_t chunk) {
  static_assert(walk_fit(kChunkedLdsElements, M, walk_step(A, U)) > 0);
  W4_SHARED(T, lds, kChunkedLdsElements);
  // 64 bits: block and wave counts are the caller's.
  const WalkRows rows{uint64_t{block()} * waves * Y, step, waves};
  if constexpr (form == Form::resident) {
    walk_resident<M, Y, U, A, G, zp>(o, act, lds, rows, kChunkedWaves, store);
  } else {
    walk_chunked<M, Y, U, A, G, zp>(o, act, lds, chunk, rows, store);
  }
}

}  // namespace w4::device

#define W4_CHUNKED_NAME2(FORM, M, Y, U, A, G, ACT, ZP) \
  w4_chunked_##FORM##_m##M##_y##Y##_u##U##_a##A##_g##G##_##ACT##_##ZP
#define W4_CHUNKED_NAME(FORM, M, Y, U, A, G, ACT, ZP) W4_CHUNKED_NAME2(FORM, M, Y, U, A, G, ACT, ZP)

#define W4_CHUNKED_KERNEL(FORM, M, Y, U, A, ZP)                                            \
  W4_KERNEL(512)                                                                           \
  W4_CHUNKED_NAME(FORM, M, Y, U, A, W4_GROUP, W4_ACT_NAME, ZP)(                            \
      const w4::device::W4_ACT* __restrict__ act, const uint8_t* __restrict__ wei,         \
      const w4::device::W4_ACT* __restrict__ scale, const uint32_t* __restrict__ zp,       \
      const w4::device::W4_ACT* __restrict__ bias, w4::device::W4_ACT* __restrict__ out,   \
      int64_t act_stride, int64_t wei_stride, int64_t scale_stride, int64_t bias_n_stride, \
      int64_t bias_m_stride, int64_t out_stride, uint32_t n, uint32_t k, uint32_t waves,   \
      uint32_t step, uint32_t chunk) {                                                     \
    using namespace w4::device;                                                            \
    chunked<Form::FORM, M, Y, U, A, W4_GROUP, Zp::ZP, W4_ACT>(                             \
        {wei, scale, zp, wei_stride, scale_stride, n, k}, {act, act_stride},               \
        {bias, out, bias_n_stride, bias_m_stride, out_stride}, waves, step, chunk);        \
  }
#define W4_CHUNKED_symmetric(FORM, M, Y, U, A) W4_CHUNKED_KERNEL(FORM, M, Y, U, A, symmetric)
#define W4_CHUNKED_both(FORM, M, Y, U, A)        \
  W4_CHUNKED_KERNEL(FORM, M, Y, U, A, symmetric) \
  W4_CHUNKED_KERNEL(FORM, M, Y, U, A, packed)
#define W4_CHUNKED_KERNELS(FORM, M, Y, U, A, ZPS) W4_CHUNKED_##ZPS(FORM, M, Y, U, A)

W4_CHUNKED_TILES(W4_CHUNKED_KERNELS)
