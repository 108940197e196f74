// The skinny decode GEMM, small and medium kernels (contract.md 6):
//   out[m,n] = round( sum_k act[m,k] * (wei[n,k] - z[n,k div G]) * scale[n,k div G] + bias )
//   act [M,K]   wei [N,K/2] bytes, shuffled   scale [N,K/G]   out [M,N]   M = 1..5
//
// Blocks of 16 waves, persistent over rows of the output. A wave makes Y rows x all M at a time; its
// 32 lanes split K in chunks of 16. One instantiation per (form, M, Y, U, G, type, zero points);
// W4_ACT (Half or Bf16), W4_ACT_NAME and W4_GROUP choose those of this object.
#include "kernels/decode_args.h"
#include "kernels/dequant.h"
#include "kernels/device.h"

namespace w4::device {

inline constexpr uint32_t kStep = kLanes * kDecodeChunk;  // K elements a wave covers at once

enum class Form { small, medium };

template <class T>
struct Operands {
  const T* act;
  const uint8_t* wei;
  const T* scale;
  const void* zp;
  const T* bias;
  T* out;
  int64_t wei_stride, scale_stride, bias_n_stride, bias_m_stride, out_stride;
  uint32_t n, k, waves, step, tail;
};

// The block's copy of act, flat: element (m,k) at [m*K + k], as far as the array goes.
template <class T>
W4_DEVICE void stage(const T* act, uint32_t elements, T* lds) {
  const uint32_t limit = elements < kDecodeLdsElements ? elements : kDecodeLdsElements;
  const uint32_t thread = wave() * kLanes + lane();
  for (uint32_t i = thread * kDecodeChunk; i < limit; i += kDecodeWaves * kLanes * kDecodeChunk) {
    const auto* from = reinterpret_cast<const Words4*>(act + i);
    auto* to = reinterpret_cast<Words4*>(lds + i);
    to[0] = from[0];
    to[1] = from[1];
  }
  barrier();
}

// 16 activations from flat index `at`. A chunk never straddles the end of the array: K and the
// array are multiples of the chunk.
template <Form form, class T>
W4_DEVICE Chunk load_act(const T* act, const T* lds, uint32_t at) {
  Chunk c;
  if (form == Form::small || at < kDecodeLdsElements) {
    c.half[0] = load_shared<Words4>(lds + at);
    c.half[1] = load_shared<Words4>(lds + at + 8);
  } else {
    c.half[0] = load_global<Words4>(act + at);
    c.half[1] = load_global<Words4>(act + at + 8);
  }
  return c;
}

template <class T, Form form, int M, int Y, int U, int G, Zp zp>
struct Decode {
  const Operands<T>& o;
  const T* lds;
  uint32_t row[Y];  // rows of the output that are read
  // Starts of those rows: uniform over the wave, so that a load is one scalar base plus a 32-bit
  // offset per lane.
  const uint8_t* wei[Y];
  const T* scale_row[Y];
  ZeroRow<T, zp> zero_row[Y];
  float sum[M][Y];

  W4_DEVICE Decode(const Operands<T>& operands, const T* staged, uint32_t first)
      : o(operands), lds(staged) {
#pragma unroll
    for (int y = 0; y < Y; y++) {
      const uint32_t n = form == Form::medium && first + y >= o.n ? o.n - 1 : first + y;
      row[y] = n;
      wei[y] = o.wei + n * o.wei_stride;
      scale_row[y] = o.scale + n * o.scale_stride;
      zero_row[y] = ZeroRow<T, zp>(o.zp, o.scale_stride, n);
#pragma unroll
      for (int m = 0; m < M; m++) sum[m][y] = 0.0f;
    }
  }

  // One K step of `count` chunks per lane, from k0. Checked: a lane whose chunk starts at or past K
  // skips it; chunks are never partial, because K is a multiple of 16.
  template <int count, bool checked>
  W4_DEVICE void step(uint32_t k0) {
    static_assert(kStep % G == 0 && G % kDecodeChunk == 0);
    const uint32_t k = k0 + kDecodeChunk * lane();  // of u = 0
    const uint32_t g = k / G;
    Words2 words[count][Y] = {};
    float scale[count][Y] = {};
    ZeroPoint<T, zp> zero[count][Y] = {};
    // All loads of the step first, so that they are under way together.
#pragma unroll
    for (int u = 0; u < count; u++) {
      if (checked && k + kStep * u >= o.k) continue;
#pragma unroll
      for (int y = 0; y < Y; y++) {
        words[u][y] = load_once<Words2, 4>(wei[y] + k / 2 + kStep / 2 * u);
        scale[u][y] = to_float(scale_row[y][g + kStep / G * u]);
        zero[u][y] = zero_row[y].at(g + kStep / G * u);
      }
    }
#pragma unroll
    for (int u = 0; u < count; u++) {
      if (checked && k + kStep * u >= o.k) continue;
      Chunk act[M];
      ActSum<T> act_sum[M];
#pragma unroll
      for (int m = 0; m < M; m++) {
        act[m] = load_act<form>(o.act, lds, k + o.k * m + kStep * u);
        act_sum[m] = ActSum<T>(act[m]);
      }
#pragma unroll
      for (int y = 0; y < Y; y++) {
        const Weights<T> w(words[u][y], zero[u][y]);
#pragma unroll
        for (int m = 0; m < M; m++) {
          sum[m][y] = fma(w.dot(act[m], act_sum[m], zero[u][y]), scale[u][y], sum[m][y]);
        }
      }
    }
  }

  W4_DEVICE void walk_k() {
    uint32_t k = 0;
    if constexpr (M == 3 && U >= 4) {
      // Checked throughout, as the public kernel has it (contract.md 6.6).
#pragma nounroll
      for (; k < o.k; k += kStep * U) step<U, true>(k);
    } else {
#pragma nounroll
      for (; k + kStep * U <= o.k; k += kStep * U) step<U, false>(k);
#pragma nounroll
      for (; k < o.k; k += kStep) step<1, true>(k);
    }
  }

  // Lane 31 holds the sums. `from`: rows below it belong to an earlier tile.
  W4_DEVICE void store(uint32_t first, uint32_t from) {
#pragma unroll
    for (int m = 0; m < M; m++) {
#pragma unroll
      for (int y = 0; y < Y; y++) sum[m][y] = wave_sum(sum[m][y]);
    }
    if (lane() != kLanes - 1) return;
    if (o.bias != nullptr) {
#pragma unroll
      for (int y = 0; y < Y; y++) {
#pragma unroll
        for (int m = 0; m < M; m++) {
          sum[m][y] += to_float(o.bias[row[y] * o.bias_n_stride + m * o.bias_m_stride]);
        }
      }
    }
#pragma unroll
    for (int y = 0; y < Y; y++) {
      const uint32_t n = first + y;
      if (form == Form::medium && (n < from || n >= o.n)) continue;
#pragma unroll
      for (int m = 0; m < M; m++) o.out[m * o.out_stride + n] = round_to<T>(sum[m][y]);
    }
  }
};

template <class T, Form form, int M, int Y, int U, int G, Zp zp>
W4_DEVICE void decode(const Operands<T>& o) {
  W4_SHARED(T, lds, kDecodeLdsElements);
  stage(o.act, o.k * M, lds);
  // 64 bits: block and wave counts are the caller's.
  const uint64_t tile = uint64_t{block()} * o.waves + wave();
  if (wave() >= o.waves || tile * Y >= o.n) return;
  uint32_t n = static_cast<uint32_t>(tile) * Y;
  while (true) {
    uint32_t first = n;
    if (form == Form::medium && o.n - n < Y) {
      // The last tile moves back over rows that others own; where N itself is below the tile it
      // starts at 0 and reads its last row more than once (contract.md K9).
      first = o.tail;
    }
    Decode<T, form, M, Y, U, G, zp> d(o, lds, first);
    d.walk_k();
    d.store(first, n);
    if (o.n - n <= o.step) return;
    n += o.step;
  }
}

}  // namespace w4::device

#define W4_DECODE_NAME2(FORM, M, Y, U, G, ACT, ZP) \
  w4_decode_##FORM##_m##M##_y##Y##_u##U##_g##G##_##ACT##_##ZP
#define W4_DECODE_NAME(FORM, M, Y, U, G, ACT, ZP) W4_DECODE_NAME2(FORM, M, Y, U, G, ACT, ZP)

#define W4_DECODE_KERNEL(FORM, M, Y, U, ZP)                                                        \
  W4_KERNEL(512)                                                                                   \
  W4_DECODE_NAME(FORM, M, Y, U, W4_GROUP, W4_ACT_NAME, ZP)(                              \
      const w4::device::W4_ACT* __restrict__ act, const uint8_t* __restrict__ wei,          \
      const w4::device::W4_ACT* __restrict__ scale, const void* __restrict__ zp,            \
      const w4::device::W4_ACT* __restrict__ bias,                                          \
      w4::device::W4_ACT* __restrict__ out, int64_t wei_stride, int64_t scale_stride,       \
      int64_t bias_n_stride, int64_t bias_m_stride, int64_t out_stride, uint32_t n, uint32_t k,    \
      uint32_t waves, uint32_t step, uint32_t tail) {                                                           \
    using namespace w4::device;                                                                    \
    decode<W4_ACT, Form::FORM, M, Y, U, W4_GROUP, Zp::ZP>(                               \
        {act, wei, scale, zp, bias, out, wei_stride, scale_stride, bias_n_stride, bias_m_stride,   \
         out_stride, n, k, waves, step, tail});                                                          \
  }
#define W4_DECODE_THREE(FORM, M, Y, U)        \
  W4_DECODE_KERNEL(FORM, M, Y, U, symmetric)  \
  W4_DECODE_KERNEL(FORM, M, Y, U, packed)     \
  W4_DECODE_KERNEL(FORM, M, Y, U, unpacked)

W4_DECODE_TILES(W4_DECODE_THREE)
