// Instructions that move values between lanes, or between lanes and SGPRs.
#include <bit>

#include "rdna/isa/lane_op.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

// Bits of an SGPR that come from one lane.
u32 lane_def(Defined d, u32 lane) { return widen(d, static_cast<int>(lane)); }

template <Track T>
void put_sgpr(Wave& w, const Op& op, u32 v, u32 d) {
  const int reg = op.dst[0].reg;
  write_s(w, reg, v, T == Track::on ? d : ~0u);
  if constexpr (T == Track::on) {
    if (reg == kExec && d != ~0u) undefined(w, op, FindingKind::undefined_exec, ~d);
  }
}

// Active lanes only count for readfirstlane; with EXEC = 0 it reads lane 0.
template <Track T>
void readfirstlane(Wave& w, const Op& op) {
  const u32 l = w.exec() ? static_cast<u32>(std::countr_zero(w.exec())) : 0;
  Lanes t;
  put_sgpr<T>(w, op, read_v(w, op.src[0], t)[l], lane_def(read_def(w, op.src[0]), l));
}

// EXEC is ignored: any lane may be read. An undefined lane number makes the result undefined.
template <Track T>
void readlane(Wave& w, const Op& op) {
  const u32 l = read_s(w, op.src[1]) & 31;
  const bool known = (read_sdef(w, op.src[1]) & 31) == 31;
  Lanes t;
  put_sgpr<T>(w, op, read_v(w, op.src[0], t)[l], known ? lane_def(read_def(w, op.src[0]), l) : 0);
}

template <Track T>
void writelane(Wave& w, const Op& op) {
  const int reg = op.dst[0].reg;
  const u32 l = read_s(w, op.src[1]) & 31;
  w.v[reg].v[l] = read_s(w, op.src[0]);
  if constexpr (T == Track::on) {
    if ((read_sdef(w, op.src[1]) & 31) != 31) {  // any lane may have been hit
      w.dlo[reg] = w.dhi[reg] = 0;
      return;
    }
    const u32 d = read_sdef(w, op.src[0]);
    const Defined one{(d & 0xffffu) == 0xffffu ? 1u << l : 0u, d >> 16 == 0xffffu ? 1u << l : 0u};
    write_def(w, reg, one, 1u << l);
  }
}

// Defined bits of a destination that stays as it was because the source lane is inactive.
u32 old_value(Wave& w, Defined old, int lane) {
  if (!w.lane_use) return widen(old, lane);
  w.from_inactive |= w.exec() & 1u << lane;
  return 0;
}

bool begins_move(Wave& w, const Operand& data) {
  if (!w.moves || data.kind != OperandKind::vgpr) return false;
  w.moves->reg = data.reg;
  return true;
}

// Lane selectors for rows of 16 (64 bits, 4 each): permlane16 reads the own row, permlanex16 the
// other. op_sel[0] is fi (read inactive lanes), op_sel[1] is bound_ctrl (zero instead of the old
// destination where the source lane is inactive). A destination that stays old for that reason is
// what the check `lanes` looks for.
template <Track T, bool kOtherRow>
void permlane16(Wave& w, const Op& op) {
  Lanes ta, t;
  const u32* a = read_v(w, op.src[0], ta);
  const u64 sel = read_s(w, op.src[1]) | u64{read_s(w, op.src[2])} << 32;
  const bool fi = op.src[0].mods & kOpSel0, zero = op.src[1].mods & kOpSel0;
  const int reg = op.dst[0].reg;
  const u32 e = w.exec();
  Defined r;
  if constexpr (T == Track::on) r = {0, 0};
  const Defined src = read_def(w, op.src[0]), old{w.dlo[reg], w.dhi[reg]};
  const bool known = read_sdef(w, op.src[1]) == ~0u && read_sdef(w, op.src[2]) == ~0u;
  const bool moves = begins_move(w, op.src[0]);
  for (int l = 0; l < kLanes; ++l) {
    const int row = kOtherRow ? (l & 16) ^ 16 : l & 16;
    const int q = row | static_cast<int>(sel >> (4 * (l & 15)) & 15);
    const bool read = fi || (e >> q & 1);
    t.v[l] = read ? a[q] : zero ? 0 : w.v[reg].v[l];
    if constexpr (T == Track::on) {
      if (moves) w.moves->from[l] = static_cast<int8_t>(known && read ? q : -1);
      narrow(r, l, !known ? 0 : read ? widen(src, q) : zero ? ~0u : old_value(w, old, l));
    }
  }
  put_lanes(w, reg, t);
  if constexpr (T == Track::on) write_def(w, reg, r, e);
}

// gfx12: selectors per lane from a VGPR.
template <Track T, bool kOtherRow>
void permlane16_var(Wave& w, const Op& op) {
  Lanes ta, ts, t;
  const u32 *a = read_v(w, op.src[0], ta), *sel = read_v(w, op.src[1], ts);
  const bool fi = op.src[0].mods & kOpSel0, zero = op.src[1].mods & kOpSel0;
  const int reg = op.dst[0].reg;
  const u32 e = w.exec();
  Defined r;
  if constexpr (T == Track::on) r = {0, 0};
  const Defined src = read_def(w, op.src[0]), old{w.dlo[reg], w.dhi[reg]};
  const u32 known = read_def(w, op.src[1]).lo;
  const bool moves = begins_move(w, op.src[0]);
  for (int l = 0; l < kLanes; ++l) {
    const int row = kOtherRow ? (l & 16) ^ 16 : l & 16;
    const int q = row | static_cast<int>(sel[l] & 15);
    const bool read = fi || (e >> q & 1);
    t.v[l] = read ? a[q] : zero ? 0 : w.v[reg].v[l];
    if constexpr (T == Track::on) {
      const bool chosen = known >> l & 1;
      if (moves) w.moves->from[l] = static_cast<int8_t>(chosen && read ? q : -1);
      narrow(r, l, !chosen ? 0 : read ? widen(src, q) : zero ? ~0u : old_value(w, old, l));
    }
  }
  put_lanes(w, reg, t);
  if constexpr (T == Track::on) write_def(w, reg, r, e);
}

// dst = src[1] + the number of set bits of src[0] below this lane. In wave32 the high half of the
// mask lies above every lane, so mbcnt_hi adds nothing.
template <Track T, bool kHigh>
void mbcnt(Wave& w, const Op& op) {
  Lanes ta, tb, t;
  const u32 *a = read_v(w, op.src[0], ta), *b = read_v(w, op.src[1], tb);
  Defined r;
  if constexpr (T == Track::on) {
    const Defined add = read_def(w, op.src[1]);
    u32 mask = ~0u;
    if constexpr (!kHigh) {
      // Lane l needs bits 0 … l-1 of the mask.
      if (op.src[0].kind == OperandKind::vgpr) {
        mask = read_def(w, op.src[0]).all();
      } else {
        const u32 d = read_sdef(w, op.src[0]);
        mask = d == ~0u ? ~0u : (2u << std::countr_one(d)) - 1;
      }
    }
    r = {add.lo & mask, add.all() & mask};
  }
  for (int l = 0; l < kLanes; ++l) {
    u32 n = 0;
    if constexpr (!kHigh) n = static_cast<u32>(std::popcount(a[l] & ((1u << l) - 1)));
    t.v[l] = n + b[l];
  }
  put_lanes(w, op.dst[0].reg, t);
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, r, w.exec());
}

// Both registers are read before either is written.
template <Track T>
void swap(Wave& w, const Op& op) {
  // Both are destinations tied to the sources.
  const int x = op.dst[0].reg, y = op.ndst > 1 ? op.dst[1].reg : op.src[0].reg;
  const Lanes a = w.v[x], b = w.v[y];
  const Defined da{w.dlo[x], w.dhi[x]}, db{w.dlo[y], w.dhi[y]};
  put_lanes(w, x, b);
  put_lanes(w, y, a);
  if constexpr (T == Track::on) {
    write_def(w, x, db, w.exec());
    write_def(w, y, da, w.exec());
  }
}

// v_movrels reads v[src + M0], v_movreld writes v[dst + M0].
template <Track T, bool kSource>
void movrel(Wave& w, const Op& op) {
  const u32 m0 = w.s[kM0];
  Operand src = op.src[0];
  u32 reg = op.dst[0].reg;
  if constexpr (T == Track::on) {
    if (w.sdef[kM0] != ~0u) return undefined(w, op, FindingKind::undefined_address, 0);
  }
  const u64 index = u64{kSource ? src.reg : reg} + m0;
  if (index >= w.vgprs) return unsupported(w, op, "relative register number above the allocation");
  if (kSource) {
    src.reg = static_cast<uint16_t>(index);
  } else {
    reg = static_cast<u32>(index);
  }
  Lanes t;
  const u32* a = read_v(w, src, t);
  const Defined d = read_def(w, src);
  write_lanes(w, static_cast<int>(reg), [&](int l) { return a[l]; });
  if constexpr (T == Track::on) write_def(w, static_cast<int>(reg), d, w.exec());
}

#define BOTH(...) {__VA_ARGS__}, Flow::special, "valu_lane"

constexpr Row kRows[] = {
    {"v_readfirstlane_b32", BOTH(readfirstlane<Track::off>, readfirstlane<Track::on>)},
    {"v_readlane_b32", BOTH(readlane<Track::off>, readlane<Track::on>)},
    {"v_writelane_b32", BOTH(writelane<Track::off>, writelane<Track::on>)},
    {"v_permlane16_b32", BOTH(permlane16<Track::off, false>, permlane16<Track::on, false>)},
    {"v_permlanex16_b32", BOTH(permlane16<Track::off, true>, permlane16<Track::on, true>)},
    {"v_permlane16_var_b32",
     BOTH(permlane16_var<Track::off, false>, permlane16_var<Track::on, false>)},
    {"v_permlanex16_var_b32",
     BOTH(permlane16_var<Track::off, true>, permlane16_var<Track::on, true>)},
    {"v_mbcnt_lo_u32_b32", BOTH(mbcnt<Track::off, false>, mbcnt<Track::on, false>)},
    {"v_mbcnt_hi_u32_b32", BOTH(mbcnt<Track::off, true>, mbcnt<Track::on, true>)},
    {"v_swap_b32", BOTH(swap<Track::off>, swap<Track::on>)},
    {"v_movrels_b32", BOTH(movrel<Track::off, true>, movrel<Track::on, true>)},
    {"v_movreld_b32", BOTH(movrel<Track::off, false>, movrel<Track::on, false>)},
};

}  // namespace

std::span<const Row> valu_lane_rows() { return kRows; }

}  // namespace w4::rdna
