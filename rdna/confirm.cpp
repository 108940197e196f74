// One instruction of the confirming run: which registers it moves, and how.
#include "rdna/confirm.h"

#include <bit>

#include "rdna/access.h"
#include "rdna/confirm_sources.h"
#include "rdna/rows/machine_rows.h"

namespace w4::rdna {

void Confirm::start_workgroup(Workgroup& g) {
  waves_.assign(g.waves.size(), WaveBits());
  for (Wave& w : g.waves) {
    WaveBits& b = waves_[static_cast<size_t>(w.id)];
    b.v.assign(static_cast<size_t>(w.vgprs) + 1, ExactRow());
    for (int r = 0; r < w.vgprs; ++r) {
      for (int l = 0; l < kLanes; ++l)
        b.v[static_cast<size_t>(r)].bits[static_cast<size_t>(l)] = expand(w, r, l);
    }
  }
  origins_.resize(1);
  ids_.clear();
  gaps_.clear();
  lds_.assign(g.lds.size, ByteBits());
  lds_access_.assign(g.lds.size, LdsAccess());
  scratch_.assign(g.waves.size() * kLanes * g.scratch_bytes, ByteBits());
}

// The machine's own row gets the exact bits of the permuted source of a DPP form.
void Confirm::permute_source(Wave& w, const Op& op) {
  const uint32_t valid = dpp_valid_lanes(w, op);
  for (int l = 0; l < kLanes; ++l) {
    const auto s = static_cast<int>(op.src[4].row->v[l]);
    ExactRow& to = waves_[static_cast<size_t>(w.id)].v[w.vgprs];
    const auto lane = static_cast<size_t>(l);
    const bool takes = valid >> l & 1;
    to.bits[lane] =
        takes ? waves_[static_cast<size_t>(w.id)].v[op.src[0].reg].bits[static_cast<size_t>(s)]
              : ~0u;
    to.origin[lane] = takes && to.bits[lane] != ~0u ? origin_of(w, op.src[0].reg, s) : 0;
  }
}

// One lane to an SGPR or back, bit by bit: compilers keep lane masks in the lanes of a VGPR, and of
// a mask only the bits of the active lanes need to be defined. EXEC has no say in which lane.
void Confirm::move_lane(Wave& w, const Op& op, std::string_view mnemonic) {
  const bool first = mnemonic == "v_readfirstlane_b32", writes = mnemonic == "v_writelane_b32";
  const bool known = first || (read_sdef(w, op.src[1]) & 31) == 31;
  const uint32_t e = w.exec();
  const auto lane = static_cast<int>(first ? (e ? static_cast<uint32_t>(std::countr_zero(e)) : 0)
                                           : read_s(w, op.src[1]) & 31);
  WaveBits& b = waves_[static_cast<size_t>(w.id)];
  const Sources before = capture(w, op);
  op.run[1](w, op);
  if (w.state == WaveState::stopped) return;
  if (writes) {
    const uint32_t bits = known ? static_cast<uint32_t>(before.lane[0][0].d) : 0;
    for (uint32_t m = known ? 1u << lane : ~0u; m; m &= m - 1) {
      put(w, op.dst[0].reg, std::countr_zero(m), bits, bits == ~0u ? 0 : before.scalar_origin);
    }
    return;
  }
  const auto dst = static_cast<size_t>(op.dst[0].reg);
  if (known && op.src[0].kind == OperandKind::vgpr && dst != kExec && dst != kNull) {
    const auto source = static_cast<size_t>(lane);
    w.sdef[dst] = static_cast<uint32_t>(before.lane[0][source].d);
    b.s_origin[dst] = before.origin[0][source];
  } else if (w.sdef[dst] != ~0u) {
    b.s_origin[dst] = before.scalar_origin;
  }
}

// The register written or read is M0 above the one named.
void Confirm::move_relative(Wave& w, const Op& op, std::string_view mnemonic) {
  Op moved = op;
  Operand& o = mnemonic.starts_with("v_movreld_") ? moved.dst[0] : moved.src[0];
  if (o.kind == OperandKind::vgpr)
    o.reg = static_cast<uint16_t>(std::min<uint64_t>(uint64_t{o.reg} + w.s[kM0], w.vgprs));
  const Sources from = capture(w, moved);
  const uint32_t e = w.exec();
  op.run[1](w, op);
  if (w.state != WaveState::stopped) settle(w, moved, from, e);
}

void Confirm::swap(Wave& w, const Op& op) {
  op.run[1](w, op);
  std::vector<ExactRow>& v = waves_[static_cast<size_t>(w.id)].v;
  ExactRow& x = v[static_cast<size_t>(op.dst[0].reg)];
  ExactRow& y = v[static_cast<size_t>(op.dst[1].reg)];
  for (uint32_t m = w.exec(); m; m &= m - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(m));
    std::swap(x.bits[l], y.bits[l]);
    std::swap(x.origin[l], y.origin[l]);
  }
}

// A value that came from another lane brings its bits and its birth along.
void Confirm::follow_moves(Wave& w, const Op& op, const Sources& before) {
  int data = 0;
  while (data < before.n && op.src[data].reg != moves_.reg) ++data;
  if (data == before.n) return;
  const auto source = static_cast<size_t>(data);
  for (uint32_t m = w.exec(); m; m &= m - 1) {
    const int l = std::countr_zero(m);
    if (moves_.from[l] < 0) continue;
    const auto from = static_cast<size_t>(moves_.from[l]);
    const auto bits = static_cast<uint32_t>(before.lane[source][from].d);
    put(w, op.dst[0].reg, l, bits, bits == ~0u ? 0 : before.origin[source][from]);
  }
}

void Confirm::taint(Wave& w, const Op& op) {
  const Operand& d = op.dst[0];
  if (op.ndst == 0 || d.kind != OperandKind::vgpr) return;
  for (uint32_t m = w.from_inactive; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    for (int k = 0; k < d.words; ++k)
      put(w, d.reg + k, l, 0, intern(Kind::inactive, static_cast<uint64_t>(l), op.pc));
  }
}

void Confirm::step(Wave& w, const Op& op) {
  w.from_inactive = 0;
  w.moves = &moves_;
  moves_.reg = -1;
  run(w, op);
  if (w.from_inactive) taint(w, op.second ? *op.second : op);
}

void Confirm::run(Wave& w, const Op& op) {
  moved_ = false;
  const uint32_t e = w.exec();
  const bool dual = op.second && op.second->second;
  if (dual) {
    const Op& x = *op.second;
    const Op& y = *x.second;
    const Sources sx = capture(w, x), sy = capture(w, y);
    op.run[1](w, op);
    settle(w, x, sx, e);
    settle(w, y, sy, e);
    return;
  }
  if (op.second) {
    permute_source(w, op);
    const Sources s = capture(w, *op.second);
    const uint32_t enabled = e & dpp_enabled_lanes(w, op);
    op.run[1](w, op);
    settle(w, *op.second, s, enabled);
    return;
  }
  const Row* row = launch_.program->row_of(op);
  const std::string_view mnemonic = row ? row->mnemonic : std::string_view();
  if (mnemonic.starts_with("v_movrel")) return move_relative(w, op, mnemonic);
  if (mnemonic == "v_swap_b32") return swap(w, op);
  if (mnemonic == "v_writelane_b32" || mnemonic == "v_readlane_b32" ||
      mnemonic == "v_readfirstlane_b32") {
    return move_lane(w, op, mnemonic);
  }
  const Sources s = capture(w, op);
  op.run[1](w, op);
  if (moved_ || w.state == WaveState::stopped) return;
  settle(w, op, s, e);
  if (moves_.reg >= 0) follow_moves(w, op, s);
}

}  // namespace w4::rdna
