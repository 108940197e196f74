// v_wmma_i32_16x16x{16,32}_iu{8,4}: exact sums of integer products, modulo 2^32 or clamped. neg_lo
// of A and of B says which of them is signed. The order of the reduction's elements in a lane is
// the same for A and B, and a sum of integers does not depend on it.
#include <algorithm>
#include <limits>

#include "rdna/isa/wmma_lanes.h"

namespace w4::rdna {
namespace {

using namespace matrix;

// Elements of the reduction for each of 16 rows of A or columns of B.
template <int kBits, int kDepth>
struct Integers {
  int32_t k[kSide][kDepth];
  Integers(const Wave& w, const Operand& o, bool copies) {
    constexpr int kPerWord = 32 / kBits;
    const bool is_signed = o.mods & kNeg;
    for (int l = 0; l < (copies ? kSide : kLanes); ++l) {
      for (int i = 0; i < o.words * kPerWord; ++i) {
        const u32 up = w.v[o.reg + i / kPerWord].v[l] << (32 - kBits - i % kPerWord * kBits);
        const int at = i + l / kSide * (kDepth / 2);
        k[l % kSide][at] = is_signed ? static_cast<int32_t>(up) >> (32 - kBits)
                                     : static_cast<int32_t>(up >> (32 - kBits));
      }
    }
  }
};

// Clamp saturates the finished sum; the documents do not speak of sums on the way.
u32 result_of(int64_t sum, bool clamp) {
  using Limits = std::numeric_limits<int32_t>;
  if (clamp) sum = std::min<int64_t>(std::max<int64_t>(sum, Limits::min()), Limits::max());
  return static_cast<u32>(sum);
}

template <Track K, int kBits, int kDepth>
void wmma(Wave& w, const Op& op) {
  constexpr bool kTracked = K == Track::on;
  constexpr int kWords = kDepth * kBits / 32;  // of a lane that holds a whole row
  const Operand &oa = op.src[0], &ob = op.src[1], &oc = op.src[2];
  const bool gfx11 = oa.words == kWords;
  const bool shapes = oa.kind == OperandKind::vgpr && ob.kind == OperandKind::vgpr &&
                      oa.words == ob.words && (gfx11 || oa.words * 2 == kWords) && op.nsrc == 3 &&
                      op.dst[0].words == 8 &&
                      (oc.kind == OperandKind::vgpr || oc.kind == OperandKind::constant);
  if (!shapes) [[unlikely]]
    return unsupported(w, op, "a matrix instruction with operands of an unexpected shape");
  if (!used_as_the_isa_asks(w, op, gfx11, kTracked)) return;
  Masks masks;
  if constexpr (kTracked) masks = carry<Type::f32>(w, op, gfx11, false);

  const Integers<kBits, kDepth> a(w, oa, gfx11), b(w, ob, gfx11);
  Lanes d[8];
  for (int r = 0; r < kSide; ++r) {
    const Place p = place_of<Type::f32>(r, gfx11, false);
    for (int c = 0; c < kSide; ++c) {
      const u32 start = oc.kind == OperandKind::vgpr ? w.v[oc.reg + p.reg].v[p.lane + c] : oc.imm;
      int64_t sum = static_cast<int32_t>(start);
      for (int k = 0; k < kDepth; ++k) sum += int64_t{a.k[r][k]} * b.k[c][k];
      d[p.reg].v[p.lane + c] = result_of(sum, op.clamp);
    }
  }
  for (int i = 0; i < 8; ++i) {
    w.v[op.dst[0].reg + i] = d[i];
    if constexpr (kTracked) write_def(w, op.dst[0].reg + i, masks.of[i], ~0u);
  }
}

template <int kBits, int kDepth>
constexpr Row row(std::string_view mnemonic) {
  return {mnemonic,
          {wmma<Track::off, kBits, kDepth>, wmma<Track::on, kBits, kDepth>},
          Flow::special,
          "wmma",
          Evidence::document};
}

constexpr Row kRows[] = {
    row<8, 16>("v_wmma_i32_16x16x16_iu8"),
    row<4, 16>("v_wmma_i32_16x16x16_iu4"),
    row<4, 32>("v_wmma_i32_16x16x32_iu4"),
};

}  // namespace

std::span<const Row> wmma_int_rows() { return kRows; }

}  // namespace w4::rdna
