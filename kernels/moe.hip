// Fused MoE for few tokens (contract.md 12). Row r of block b is expert e = expert_ids[b]'s:
//   out[s,n] = round( sum_k x[s,k] * (wei[e,n,k] - z[e,n,k div G]) * scale[e,n,k div G] )
//   wei [E,N,K/2] bytes, shuffled   scale [E,N,K/G]   out [S,N]   block_m = M = 1..5
// Scattered: s = sorted_ids[b*M + r], nothing where s >= S; x[s] = act[s div top_k], act [T,K].
// Contiguous (no sorted_ids): s = b*M + r, nothing where s >= S; x = act [S,K].
// silu: x[s,k] = fl_T( fl_T( silu(act[s,k]) ) * act[s,K+k] ), act [S,2K].
// e outside [0,E), -1 among them: zeros are stored, and no weight is read.
//
// All workgroups take the blocks one after the other; within a block they share N as the decode
// kernels do. One instantiation per (form, M, Y, U, A, W, G, type, zero points); W4_ACT (Half or
// Bf16), W4_ACT_NAME and W4_GROUP choose those of this object.
#include "kernels/device.h"
#include "kernels/moe_args.h"
#include "kernels/silu.h"
#include "kernels/walk.h"

namespace w4::device {

enum class MoeForm { resident, silu, chunked };

template <class T>
struct MoeOperands {
  const T* act;
  const uint8_t* wei;
  const T* scale;
  const uint32_t* zp;
  T* out;
  const uint32_t* expert_ids;
  const uint32_t* sorted_ids;
  int64_t act_stride, wei_stride, scale_stride, out_stride, wei_expert, scale_expert, zp_expert;
  uint32_t n, k, experts, blocks, rows, top_k, waves, grid, step, chunk;
};

template <class T>
W4_DEVICE T from_bits(uint32_t bits) {
  return __builtin_bit_cast(T, static_cast<uint16_t>(bits));
}
template <class T>
W4_DEVICE uint32_t gated(uint32_t gate, uint32_t up);
template <>
W4_DEVICE uint32_t gated<Half>(uint32_t gate, uint32_t up) {
  const Half h = round_to<Half>(w4::silu(to_float(from_bits<Half>(gate))));
  return __builtin_bit_cast(uint16_t, static_cast<Half>(h * from_bits<Half>(up)));
}
template <>
W4_DEVICE uint32_t gated<Bf16>(uint32_t gate, uint32_t up) {
  const Bf16 h = round_to<Bf16>(w4::silu(to_float(from_bits<Bf16>(gate))));
  return round_to<Bf16>(to_float(h) * to_float(from_bits<Bf16>(up))).bits;
}

// The rows of one block: `out` is theirs in the output, `rows` and above nobody's.
template <class T, int M, bool fused>
struct BlockRows {
  const MoeOperands<T>& o;
  uint32_t out[M], source[M];

  W4_DEVICE BlockRows(const MoeOperands<T>& operands, uint32_t block) : o(operands) {
#pragma unroll
    for (int m = 0; m < M; m++) {
      const uint32_t at = block * M + m;
      out[m] = W4_UNIFORM(o.sorted_ids == nullptr ? at : o.sorted_ids[at]);
      source[m] = W4_UNIFORM(out[m] / o.top_k);
    }
  }
  W4_DEVICE bool skip(int m) const { return out[m] >= o.rows; }
  W4_DEVICE const T* row(int m) const { return o.act + int64_t{source[m]} * o.act_stride; }
  // Elements k to k+7 of row m.
  W4_DEVICE Words4 piece(int m, uint32_t k) const {
    const T* const from = row(m) + k;
    Words4 x = load_global<Words4>(from);
    if constexpr (fused) {
      const Words4 up = load_global<Words4>(from + o.k);
#pragma unroll
      for (int i = 0; i < 4; i++) {
        x[i] = gated<T>(x[i] & 0xffffu, up[i] & 0xffffu) |
               gated<T>(x[i] >> 16, up[i] >> 16) << 16;
      }
    }
    return x;
  }
};

template <class T, class Block>
struct MoeStore {
  const MoeOperands<T>& o;
  const Block& rows;
  W4_DEVICE void operator()(int m, uint32_t n, float sum) const {
    if (!rows.skip(m)) o.out[rows.out[m] * o.out_stride + n] = round_to<T>(sum);
  }
};

template <int M, class T, class Block>
W4_DEVICE void store_zeros(const MoeOperands<T>& o, const Block& rows, uint32_t threads) {
  const uint32_t thread = wave() * kLanes + lane();
#pragma unroll
  for (int m = 0; m < M; m++) {
    if (rows.skip(m)) continue;
    for (uint64_t n = uint64_t{block()} * threads + thread; n < o.n;
         n += uint64_t{o.grid} * threads) {
      o.out[rows.out[m] * o.out_stride + n] = T{};
    }
  }
}

template <MoeForm form, int M, int Y, int U, int A, int W, int G, Zp zp, class T>
W4_DEVICE void moe(const MoeOperands<T>& args) {
  W4_SHARED_OF_LAUNCH(T, lds, kMoeLargeElements);
  using Block = BlockRows<T, M, form == MoeForm::silu>;
  bool staged = false;
  const uint32_t blocks = args.blocks;
#pragma nounroll
  for (uint32_t b = 0; b < blocks; b++) {
    W4_ARGUMENTS_AGAIN(MoeOperands<T>, o, args);
    // 64 bits: block and wave counts are the caller's.
    const WalkRows columns{uint64_t{block()} * o.waves * Y, o.step, o.waves};
    const Block rows(o, b);
    const uint32_t e = o.expert_ids[b];
    if (e >= o.experts) {
      store_zeros<M>(o, rows, W * kLanes);
      continue;
    }
    WalkOperands<T> of{o.wei + e * o.wei_expert, o.scale + e * o.scale_expert, o.zp, o.wei_stride,
                       o.scale_stride, o.n, o.k};
    if constexpr (zp == Zp::packed) of.zp += e * o.zp_expert;
    const MoeStore<T, Block> store{o, rows};
    if constexpr (form == MoeForm::chunked) {
      walk_chunked<M, Y, U, A, G, zp>(of, rows, lds, o.chunk, columns, store);
    } else {
      // The array still belongs to the block before.
      if (staged) barrier();
      walk_resident<M, Y, U, A, G, zp>(of, rows, lds, columns, W, store);
      staged = true;
    }
  }
}

}  // namespace w4::device

#define W4_MOE_NAME2(FORM, M, Y, U, A, W, G, ACT, ZP) \
  w4_moe_##FORM##_m##M##_y##Y##_u##U##_a##A##_w##W##_g##G##_##ACT##_##ZP
#define W4_MOE_NAME(FORM, M, Y, U, A, W, G, ACT, ZP) W4_MOE_NAME2(FORM, M, Y, U, A, W, G, ACT, ZP)

#define W4_MOE_KERNEL(FORM, M, Y, U, A, W, ZP)                                                   \
  W4_KERNEL(32 * W)                                                                              \
  W4_MOE_NAME(FORM, M, Y, U, A, W, W4_GROUP, W4_ACT_NAME, ZP)(                                   \
      const w4::device::W4_ACT* __restrict__ act, const uint8_t* __restrict__ wei,               \
      const w4::device::W4_ACT* __restrict__ scale, const uint32_t* __restrict__ zp,             \
      w4::device::W4_ACT* __restrict__ out, const uint32_t* __restrict__ expert_ids,             \
      const uint32_t* __restrict__ sorted_ids, int64_t act_stride, int64_t wei_stride,           \
      int64_t scale_stride, int64_t out_stride, int64_t wei_expert, int64_t scale_expert,        \
      int64_t zp_expert, uint32_t n, uint32_t k, uint32_t experts, uint32_t blocks,              \
      uint32_t rows, uint32_t top_k, uint32_t waves, uint32_t grid, uint32_t step,               \
      uint32_t chunk) {                                                                          \
    using namespace w4::device;                                                                  \
    moe<MoeForm::FORM, M, Y, U, A, W, W4_GROUP, Zp::ZP, W4_ACT>(                                 \
        {act, wei, scale, zp, out, expert_ids, sorted_ids, act_stride, wei_stride, scale_stride, \
         out_stride, wei_expert, scale_expert, zp_expert, n, k, experts, blocks, rows, top_k,    \
         waves, grid, step, chunk});                                                             \
  }
#define W4_MOE_BOTH(FORM, M, Y, U, A, W)        \
  W4_MOE_KERNEL(FORM, M, Y, U, A, W, symmetric) \
  W4_MOE_KERNEL(FORM, M, Y, U, A, W, packed)

W4_MOE_TILES(W4_MOE_BOTH)
