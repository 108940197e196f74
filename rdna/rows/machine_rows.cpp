#include "rdna/rows/machine_rows.h"

#include <array>
#include <utility>

#include "rdna/access.h"
#include "rdna/report.h"

namespace w4::rdna {
namespace {

// One handler per sentence, because an Op has no room for text and a handler no closure.
constexpr std::array<std::string_view, 15> kReasons = {
    "this instruction is not implemented",
    "half of this VOPD instruction is not implemented",
    "control left the code of the object",
    "these bytes are not an instruction",
    "an operand is neither register nor constant",
    "a special source register is not implemented",
    "it names a VGPR above those of the kernel's descriptor",
    "it names an SGPR that does not exist",
    "a memory operand is not a register",
    "DPP source is not a VGPR",
    "a DPP form without its controls",
    "this DPP control is not implemented",
    "a VOPD form with missing parts",
    "tfe and lds forms of buffer instructions are not implemented",
    "its operands have an unexpected shape",
};

template <size_t I>
void unsupported_because(Wave& w, const Op& op) {
  unsupported(w, op, std::string(kReasons[I]));
}

template <size_t... I>
constexpr std::array<Handler, sizeof...(I)> handlers(std::index_sequence<I...>) {
  return {unsupported_because<I>...};
}

// Lanes that keep the old destination because their source lane, inside the row, is inactive.
void keep_old_lanes(Wave& w, const Op& op) {
  const uint32_t kept = w.exec() & dpp_from_inactive(w, op);
  const Operand& d = op.second->dst[0];
  if (!kept || d.kind != OperandKind::vgpr) return;
  for (int i = 0; i < d.words; ++i) write_def(w, d.reg + i, {0, 0}, kept);
  w.from_inactive |= kept;
}

template <Track T>
void dpp(Wave& w, const Op& op) {
  const uint32_t* map = op.src[4].row->v;
  const uint32_t e = w.exec();
  const uint32_t* from = w.v[op.src[0].reg].v;
  const uint32_t lo = w.dlo[op.src[0].reg], hi = w.dhi[op.src[0].reg];
  Lanes& row = w.v[w.vgprs];
  const uint32_t valid_lanes = dpp_valid_lanes(w, op), enabled = dpp_enabled_lanes(w, op);
  uint32_t dlo = 0, dhi = 0;
  for (int l = 0; l < kLanes; ++l) {
    const uint32_t s = map[l];
    const bool valid = valid_lanes >> l & 1;
    row.v[l] = valid ? from[s] : 0;
    if constexpr (T == Track::on) {
      dlo |= (valid ? lo >> s & 1 : 1u) << l;
      dhi |= (valid ? hi >> s & 1 : 1u) << l;
    }
  }
  w.dlo[w.vgprs] = dlo;
  w.dhi[w.vgprs] = dhi;
  w.s[kExec] = e & enabled;
  op.second->run[static_cast<int>(T)](w, *op.second);
  // v_cmpx has written EXEC: lanes that the form left out compared to nothing and are off.
  const Operand& dst = op.second->dst[0];
  if (dst.kind != OperandKind::sgpr || dst.reg != kExec) w.s[kExec] = e;
  if constexpr (T == Track::on) {
    if (w.lane_use) keep_old_lanes(w, op);
  }
}

template <Track T, bool kYReadsX>
void dual(Wave& w, const Op& op) {
  const Op& x = *op.second;
  const Op& y = *x.second;
  constexpr int t = static_cast<int>(T);
  if constexpr (!kYReadsX) {
    x.run[t](w, x);
    y.run[t](w, y);
  } else {
    const int d = x.dst[0].reg;
    const Lanes old = w.v[d];
    const uint32_t old_lo = w.dlo[d], old_hi = w.dhi[d];
    x.run[t](w, x);
    const Lanes now = w.v[d];
    const uint32_t now_lo = w.dlo[d], now_hi = w.dhi[d];
    w.v[d] = old;
    w.dlo[d] = old_lo;
    w.dhi[d] = old_hi;
    y.run[t](w, y);
    w.v[d] = now;
    w.dlo[d] = now_lo;
    w.dhi[d] = now_hi;
  }
}

}  // namespace

Handler run_unsupported(std::string_view why) {
  static constexpr auto kHandlers = handlers(std::make_index_sequence<kReasons.size()>());
  for (size_t i = 0; i < kReasons.size(); ++i) {
    if (kReasons[i] == why) return kHandlers[i];
  }
  return kHandlers.back();
}

uint32_t dpp_valid_lanes(const Wave& w, const Op& op) {
  const bool fetch_inactive = op.imm[3] & 2;
  uint32_t valid = 0;
  for (int l = 0; l < kLanes; ++l) {
    const uint32_t s = op.src[4].row->v[l];
    valid |= uint32_t{s < 32 && (fetch_inactive || (w.exec() >> s & 1))} << l;
  }
  return valid;
}

namespace {
// Lanes that row_mask and bank_mask let through.
uint32_t masked_lanes(const Op& op) {
  uint32_t on = ~0u;
  for (int l = 0; l < kLanes; ++l) {
    if (!(op.imm[1] >> (l / 16) & 1) || !(op.imm[2] >> ((l & 15) / 4) & 1)) on &= ~(1u << l);
  }
  return on;
}
}  // namespace

uint32_t dpp_enabled_lanes(const Wave& w, const Op& op) {
  return masked_lanes(op) & ((op.imm[3] & 1) ? ~0u : dpp_valid_lanes(w, op));
}

uint32_t dpp_from_inactive(const Wave& w, const Op& op) {
  if (op.imm[3] & 3) return 0;  // bound_ctrl: a zero was asked for; fi: the lane is read
  uint32_t outside = 0;
  for (int l = 0; l < kLanes; ++l) outside |= uint32_t{op.src[4].row->v[l] >= 32} << l;
  return masked_lanes(op) & ~outside & ~dpp_valid_lanes(w, op);
}

Handler run_dpp(Track t) { return t == Track::on ? dpp<Track::on> : dpp<Track::off>; }

Handler run_dual(Track t, bool y_reads_x) {
  if (t == Track::on) return y_reads_x ? dual<Track::on, true> : dual<Track::on, false>;
  return y_reads_x ? dual<Track::off, true> : dual<Track::off, false>;
}

}  // namespace w4::rdna
