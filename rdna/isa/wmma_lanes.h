// Where the elements of 16x16 matrices lie in the registers of a wave, which of them are defined,
// and what the ISA asks of the lanes.
#pragma once

#include <immintrin.h>

#include "rdna/isa/half.h"
#include "rdna/isa/lane_op.h"

namespace w4::rdna::matrix {

using u32 = uint32_t;

inline constexpr int kSide = 16;
enum class Type : uint8_t { f16, bf16, f32 };

// Where row r of C and D lies: register, first of its 16 lanes, and for 16-bit elements the half.
struct Place {
  int reg, lane, shift;
};
template <Type T>
Place place_of(int r, bool gfx11, bool high) {
  const int v = gfx11 ? r >> 1 : r & 7, upper = gfx11 ? r & 1 : r >> 3;
  if constexpr (T == Type::f32) return {v, upper * kSide, 0};
  if (gfx11) return {v, upper * kSide, high ? 16 : 0};
  return {v >> 1, upper * kSide, (v & 1) * 16};
}

// Lanes in which the two halves of the wave differ in a register of o, as lanes 16-31.
inline u32 unequal_copies(const Wave& w, const Operand& o, bool track) {
  u32 bad = 0;
  for (int i = 0; i < o.words; ++i) {
    const u32* p = w.v[o.reg + i].v;
    u32 differ = 0;
    for (int l = 0; l < kSide; l += 8) {
      const __m256i same = _mm256_cmpeq_epi32(load8(p + l), load8(p + kSide + l));
      differ |= (~static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(same))) & 0xffu)
                << (kSide + l);
    }
    if (track) {  // undefined copies are the business of the definedness of the result
      const u32 known = w.dlo[o.reg + i] & w.dhi[o.reg + i];
      differ &= known & known << kSide;
    }
    bad |= differ;
  }
  return bad;
}

// `copies`: gfx11, where both halves of the wave hold the same A and B.
inline bool used_as_the_isa_asks(Wave& w, const Op& op, bool copies, bool track) {
  if (w.exec() != ~0u) [[unlikely]] {
    misuse(w, op, FindingKind::inactive_lane, ~w.exec(),
           "a matrix instruction needs all lanes active");
    if (w.state != WaveState::ready) return false;  // the copies of such lanes say nothing
  }
  for (int i = 0; i < 2 && copies; ++i) {
    if (const u32 bad = unequal_copies(w, op.src[i], track)) [[unlikely]] {
      misuse(w, op, FindingKind::wmma_replication, bad,
             i == 0
                 ? "A differs between lanes 0-15 and 16-31: gfx11 needs the same rows in both"
                 : "B differs between lanes 0-15 and 16-31: gfx11 needs the same columns in both");
    }
  }
  return w.state == WaveState::ready;
}

// Rows of A or columns of B that are defined in every register and both halves of the wave.
inline u32 defined_lines(const Wave& w, const Operand& o) {
  u32 d = ~0u;
  for (int i = 0; i < o.words; ++i) d &= w.dlo[o.reg + i] & w.dhi[o.reg + i];
  return d & d >> kSide & 0xffffu;
}

// Half masks of the eight (or four) registers of C or D.
struct Masks {
  Defined of[8];
};

// D(r, c) is defined where C(r, c), row r of A and column c of B are.
template <Type T>
Masks carry(const Wave& w, const Op& op, bool gfx11, bool high) {
  const u32 rows = defined_lines(w, op.src[0]), columns = defined_lines(w, op.src[1]);
  const Operand& c = op.src[2];
  Masks in, out;
  for (int i = 0; i < op.dst[0].words; ++i) {
    in.of[i] = read_def(w, c, c.kind == OperandKind::vgpr ? i : 0);
    out.of[i] = {w.dlo[op.dst[0].reg + i], w.dhi[op.dst[0].reg + i]};
  }
  for (int r = 0; r < kSide; ++r) {
    const Place p = place_of<T>(r, gfx11, high);
    const Defined& from = in.of[p.reg];
    u32 d = T == Type::f32 ? from.all() : p.shift ? from.hi : from.lo;
    d = (rows >> r & 1) ? d & columns << p.lane : 0;
    const u32 lanes = 0xffffu << p.lane;
    Defined& to = out.of[p.reg];
    const auto put = [&](u32& m) { m = (m & ~lanes) | (d & lanes); };
    if (T == Type::f32 || p.shift == 0) put(to.lo);
    if (T == Type::f32 || p.shift != 0) put(to.hi);
  }
  return out;
}

}  // namespace w4::rdna::matrix
