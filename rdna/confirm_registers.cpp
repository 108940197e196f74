// Exact bits of registers through one instruction: taken down before, settled after.
#include <bit>

#include "rdna/access.h"
#include "rdna/confirm_sources.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

uint32_t Confirm::origin_of(const Wave& w, int reg, int lane) {
  const uint32_t o = waves_[static_cast<size_t>(w.id)]
                         .v[static_cast<size_t>(reg)]
                         .origin[static_cast<size_t>(lane)];
  return o ? o : intern(Kind::vgpr, static_cast<uint64_t>(reg), 0);
}

uint32_t Confirm::scalar_origin(const Wave& w, const Operand& o) {
  const WaveBits& b = waves_[static_cast<size_t>(w.id)];
  if (o.kind == OperandKind::scc) return b.scc_origin ? b.scc_origin : intern(Kind::scc, 0, 0);
  for (int i = 0; i < o.words; ++i) {
    if (read_sdef(w, o, i) == ~0u) continue;
    const uint32_t id = b.s_origin[static_cast<size_t>(o.reg + i)];
    return id ? id : intern(Kind::sgpr, static_cast<uint64_t>(o.reg + i), 0);
  }
  return 0;
}

Confirm::Sources Confirm::capture(Wave& w, const Op& op) {
  Sources s;
  s.n = std::min<int>(op.nsrc, 4);
  for (int i = 0; i < s.n; ++i) {
    const Operand& o = op.src[i];
    const auto n = static_cast<size_t>(i);
    const int words = std::min<int>(o.words, 2);
    for (int l = 0; l < kLanes; ++l) {
      const auto lane = static_cast<size_t>(l);
      Bits b;
      uint32_t origin = 0;
      if (o.kind == OperandKind::none) {
        b = {~uint64_t{0}, 0};
      } else if (o.kind == OperandKind::vgpr) {
        b = {0, 0};
        for (int k = 0; k < o.words; ++k) {
          const uint32_t d =
              waves_[static_cast<size_t>(w.id)].v[static_cast<size_t>(o.reg + k)].bits[lane];
          if (k < 2) {
            b.d |= uint64_t{d} << (32 * k);
            b.v |= uint64_t{w.v[o.reg + k].v[l]} << (32 * k);
          }
          if (d != ~0u && !origin) origin = origin_of(w, o.reg + k, l);
        }
      } else {
        b = {0, 0};
        for (int k = 0; k < words; ++k) {
          b.d |= uint64_t{read_sdef(w, o, k)} << (32 * k);
          b.v |= uint64_t{read_s(w, o, k)} << (32 * k);
        }
        if (l == 0) {
          origin = scalar_origin(w, o);
        } else {
          origin = s.origin[n][0];
        }
      }
      if (words < 2) b.d |= ~uint64_t{0} << 32;
      s.lane[n][lane] = b;
      s.origin[n][lane] = origin;
      if (origin && !s.any_origin[lane]) s.any_origin[lane] = origin;
      if (origin && !s.scalar_origin) s.scalar_origin = origin;
    }
  }
  if (op.ndst > 0 && op.dst[0].kind == OperandKind::vgpr) {
    s.words = std::min<int>(op.dst[0].words, 2);
    for (int k = 0; k < s.words; ++k) {
      s.old[static_cast<size_t>(k)] =
          waves_[static_cast<size_t>(w.id)].v[static_cast<size_t>(op.dst[0].reg + k)];
      for (int l = 0; l < kLanes && op.reads_dst; ++l) {
        const auto lane = static_cast<size_t>(l);
        if (s.old[static_cast<size_t>(k)].bits[lane] == ~0u || s.any_origin[lane]) continue;
        s.any_origin[lane] = origin_of(w, op.dst[0].reg + k, l);
      }
    }
  }
  // Implicit scalar sources: SCC of s_addc, s_cselect and the like.
  if (!s.scalar_origin && !w.scc_def)
    s.scalar_origin = scalar_origin(w, Operand{.kind = OperandKind::scc});
  return s;
}

void Confirm::put(Wave& w, int reg, int lane, uint32_t bits, uint32_t origin) {
  ExactRow& r = waves_[static_cast<size_t>(w.id)].v[static_cast<size_t>(reg)];
  r.bits[static_cast<size_t>(lane)] = bits;
  r.origin[static_cast<size_t>(lane)] = origin;
  const uint32_t m = 1u << lane;
  w.dlo[reg] = (w.dlo[reg] & ~m) | uint32_t{(bits & 0xffffu) == 0xffffu} << lane;
  w.dhi[reg] = (w.dhi[reg] & ~m) | uint32_t{bits >> 16 == 0xffffu} << lane;
}

void Confirm::settle_scalars(const Wave& w, const Op& op, const Sources& before) {
  WaveBits& b = waves_[static_cast<size_t>(w.id)];
  for (int i = 0; i < op.ndst; ++i) {
    const Operand& d = op.dst[i];
    if (d.kind != OperandKind::sgpr || d.reg == kNull) continue;
    for (int k = 0; k < d.words; ++k) {
      if (w.sdef[d.reg + k] != ~0u)
        b.s_origin[static_cast<size_t>(d.reg + k)] = before.scalar_origin;
    }
  }
  if (!w.scc_def && before.scalar_origin) b.scc_origin = before.scalar_origin;
}

// Wide results (matrix instructions): the handler's masks are all there is, and what is undefined
// in a lane may have come from any lane.
void Confirm::settle_wide(Wave& w, const Op& op, const Sources& before, uint32_t lanes) {
  for (int k = 0; k < op.dst[0].words; ++k) {
    for (uint32_t m = lanes; m; m &= m - 1) {
      const int l = std::countr_zero(m);
      const uint32_t bits = expand(w, op.dst[0].reg + k, l);
      uint32_t origin = before.any_origin[static_cast<size_t>(l)];
      if (!origin) origin = before.scalar_origin;
      if (!origin) origin = intern(Kind::here, 0, op.pc);
      put(w, op.dst[0].reg + k, l, bits, bits == ~0u ? 0 : origin);
    }
  }
}

// After op ran in `lanes`: what it wrote, exactly. Every rule may only say "defined" when it is, so
// the union of this flow and the handler's own masks is taken.
void Confirm::settle(Wave& w, const Op& op, const Sources& before, uint32_t lanes) {
  const Row* row = launch_.program->row_of(op);
  settle_scalars(w, op, before);
  if (op.ndst == 0 || op.dst[0].kind != OperandKind::vgpr) return;
  if (before.words == 0 || !row || op.dst[0].words > 2) return settle_wide(w, op, before, lanes);
  // A clamped sum depends on every bit of its sources.
  const bool clamped = op.clamp && row->flow == Flow::add;
  Row mixed = *row;
  mixed.flow = Flow::mix;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    const auto lane = static_cast<size_t>(l);
    Bits s[4];
    for (int i = 0; i < before.n; ++i) s[i] = before.lane[static_cast<size_t>(i)][lane];
    const uint64_t exact = exact_flow(clamped ? mixed : *row, s, before.n, l);
    for (int k = 0; k < before.words; ++k) {
      const int reg = op.dst[0].reg + k;
      const ExactRow& old = before.old[static_cast<size_t>(k)];
      uint32_t flow = static_cast<uint32_t>(exact >> (32 * k));
      const uint32_t kept = kept_bits(op, row->mnemonic);
      // A tied source that the flow does not know of takes part in everything.
      if (op.reads_dst && old.bits[lane] != ~0u) flow = 0;
      uint32_t bits = ((flow | expand(w, reg, l)) & ~kept) | (old.bits[lane] & kept);
      uint32_t origin = before.any_origin[lane];
      if (bits != ~0u && !origin)
        origin = before.scalar_origin ? before.scalar_origin : old.origin[lane];
      if (bits != ~0u && !origin) origin = intern(Kind::here, 0, op.pc);
      put(w, reg, l, bits, bits == ~0u ? 0 : origin);
    }
  }
}

}  // namespace w4::rdna
