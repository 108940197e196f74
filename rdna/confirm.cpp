#include "rdna/confirm.h"

#include <algorithm>
#include <bit>

#include "rdna/access.h"
#include "rdna/exact_flow.h"
#include "rdna/rows/machine_rows.h"

namespace w4::rdna {

struct Confirm::Sources {
  int n = 0;
  std::array<std::array<Bits, kLanes>, 4> lane{};  // per source and lane
  std::array<std::array<uint32_t, kLanes>, 4> origin{};
  std::array<uint32_t, kLanes> any_origin{};  // first undefined source of the lane
  uint32_t scalar_origin = 0;                 // first undefined source at all
  std::array<ExactRow, 2> old{};              // of the destination rows
  int words = 0;                              // of a VGPR destination
};

namespace {

uint32_t expand(const Wave& w, int reg, int lane) {
  return ((w.dlo[reg] >> lane & 1) * 0xffffu) | ((w.dhi[reg] >> lane & 1) * 0xffff0000u);
}

}  // namespace

uint32_t Confirm::intern(Kind kind, uint64_t where, uint64_t pc) {
  auto [it, fresh] = ids_.try_emplace({kind, where, pc}, static_cast<uint32_t>(origins_.size()));
  if (fresh) origins_.push_back({kind, where, pc});
  return it->second;
}

std::string Confirm::describe(uint32_t id) const {
  if (id == 0 || id >= origins_.size()) return "";
  const Origin& o = origins_[id];
  std::string what;
  switch (o.kind) {
    case Kind::vgpr:
      what = fmt::format("v{} was never written", o.where);
      break;
    case Kind::sgpr:
      what = fmt::format("s{} was never written", o.where);
      break;
    case Kind::scc:
      what = "SCC was never written";
      break;
    case Kind::lds:
      what = fmt::format("LDS byte {} was never written in this workgroup", o.where);
      break;
    case Kind::scratch:
      what = fmt::format("scratch byte {} was never written", o.where);
      break;
    case Kind::global: {
      const Buffer* b = launch_.memory->find(o.where, 1);
      what = b ? fmt::format("byte {} of {} was never written", o.where - b->base, b->name)
               : fmt::format("byte {:#x} was never written", o.where);
      break;
    }
    case Kind::inactive:
      what = fmt::format("lane {} got the value of an inactive lane", o.where);
      break;
    case Kind::here:
      what = "an undefined result";
      break;
  }
  if (o.pc == 0) return what;
  const CodeObject::Impl& code = launch_.program->code();
  const std::string line = code.source_at(o.pc);
  return fmt::format("{}; read at {:#x}{}{}: {}", what, o.pc, line.empty() ? "" : " ", line,
                     code.text_at(o.pc));
}

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
  lds_.assign(g.lds.size, ByteBits());
  lds_access_.assign(g.lds.size, LdsAccess());
  scratch_.assign(g.waves.size() * kLanes * g.scratch_bytes, ByteBits());
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

// After op ran in `lanes`: what it wrote, exactly. Every rule may only say "defined" when it is, so
// the union of this flow and the handler's own masks is taken.
void Confirm::settle(Wave& w, const Op& op, const Sources& before, uint32_t lanes) {
  const Row* row = launch_.program->row_of(op);
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
  if (before.words == 0 || !row || op.dst[0].words > 2) {
    // Wide results (matrix instructions): the handler's masks are all there is, and what is
    // undefined in a lane may have come from any lane.
    if (op.ndst > 0 && op.dst[0].kind == OperandKind::vgpr) {
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
    return;
  }
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
  if (row && row->mnemonic.starts_with("v_movrel")) {
    // The register written or read is M0 above the one named.
    Op moved = op;
    Operand& o = row->mnemonic.starts_with("v_movreld_") ? moved.dst[0] : moved.src[0];
    if (o.kind == OperandKind::vgpr)
      o.reg = static_cast<uint16_t>(std::min<uint64_t>(uint64_t{o.reg} + w.s[kM0], w.vgprs));
    const Sources from = capture(w, moved);
    op.run[1](w, op);
    if (w.state != WaveState::stopped) settle(w, moved, from, e);
    return;
  }
  if (row && (row->mnemonic == "v_writelane_b32" || row->mnemonic == "v_readlane_b32" ||
              row->mnemonic == "v_readfirstlane_b32")) {
    return move_lane(w, op, row->mnemonic);
  }
  const Sources s = capture(w, op);
  op.run[1](w, op);
  if (!moved_ && w.state != WaveState::stopped) settle(w, op, s, e);
}

Confirm::ByteBits* Confirm::bytes_of(const Wave& w, Space space, int lane, uint64_t a) {
  if (space == Space::lds) return &lds_[a];
  const auto which = static_cast<size_t>(w.id) * kLanes + static_cast<size_t>(lane);
  return &scratch_[which * w.group->scratch_bytes + a];
}

void Confirm::loaded(Wave& w, const Op& op, Space space, const uint64_t* a, int n, int reg, Fit fit,
                     uint32_t lanes) {
  moved_ = true;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    uint32_t words[4] = {0, 0, 0, 0}, origin = 0;
    const Buffer* buffer =
        space == Space::global ? launch_.memory->find(a[l], static_cast<uint64_t>(n)) : nullptr;
    for (int i = 0; i < n; ++i) {
      const uint64_t at = a[l] + static_cast<uint64_t>(i);
      uint8_t bits = 0xff;
      uint32_t from = 0;
      if (space == Space::global) {
        if (buffer && buffer->state && !(buffer->state[at - buffer->base] & kDefined)) bits = 0;
        if (bits == 0) from = intern(Kind::global, at, op.pc);
      } else {
        const ByteBits& b = *bytes_of(w, space, l, at);
        bits = b.bits;
        from = b.origin;
        if (bits != 0xff && from == 0)
          from = intern(space == Space::lds ? Kind::lds : Kind::scratch, at, op.pc);
        if (space == Space::lds) {
          LdsAccess& x = lds_access_[at];
          const Access now{w.id, l, op.pc};
          if (x.readers[0].wave != w.id) x.readers[1] = x.readers[0];
          x.readers[0] = now;
        }
      }
      words[i / 4] |= static_cast<uint32_t>(bits) << (8 * (i % 4));
      if (bits != 0xff && !origin) origin = from;
    }
    if (n >= 4) {
      for (int i = 0; i < n / 4; ++i) put(w, reg + i, l, words[i], words[i] == ~0u ? 0 : origin);
      continue;
    }
    const uint32_t old =
        waves_[static_cast<size_t>(w.id)].v[static_cast<size_t>(reg)].bits[static_cast<size_t>(l)];
    uint32_t x = words[0];
    const uint32_t sign = x >> (8 * n - 1) & 1;
    const bool sign_extends = fit == Fit::sext8 || fit == Fit::sext16 || fit == Fit::d16_lo_sext8 ||
                              fit == Fit::d16_hi_sext8;
    if (!sign_extends || sign) x |= ~0u << (8 * n);
    if (is_d16(fit))
      x = is_high(fit) ? (old & 0xffffu) | x << 16 : (old & 0xffff0000u) | (x & 0xffffu);
    if (x != ~0u && !origin) origin = origin_of(w, reg, l);
    put(w, reg, l, x, x == ~0u ? 0 : origin);
  }
}

void Confirm::stored(Wave& w, const Op& op, Space space, const uint64_t* a, int n, int reg,
                     int shift, uint32_t lanes) {
  moved_ = true;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    for (int i = 0; i < n; ++i) {
      const int r = reg + i / 4;
      const uint32_t bits = waves_[static_cast<size_t>(w.id)]
                                .v[static_cast<size_t>(r)]
                                .bits[static_cast<size_t>(l)] >>
                            shift;
      ByteBits& b = *bytes_of(w, space, l, a[l] + static_cast<uint64_t>(i));
      b.bits = static_cast<uint8_t>(bits >> (8 * (i % 4)));
      b.origin = b.bits == 0xff ? 0 : origin_of(w, r, l);
      if (space == Space::lds)
        lds_access_[a[l] + static_cast<uint64_t>(i)].writer = {w.id, l, op.pc};
    }
  }
}

void Confirm::defined(Wave& w, int reg, size_t words, uint32_t lanes) {
  moved_ = true;
  for (uint32_t m = lanes; m; m &= m - 1) {
    for (size_t i = 0; i < words; ++i)
      put(w, reg + static_cast<int>(i), std::countr_zero(m), ~0u, 0);
  }
}

void Confirm::scalar_loaded(Wave& w, const Op& op, uint64_t address, int words) {
  moved_ = true;
  for (int i = 0; i < words; ++i) {
    const int reg = op.dst[0].reg + i;
    if (w.sdef[reg] == ~0u) continue;
    waves_[static_cast<size_t>(w.id)].s_origin[static_cast<size_t>(reg)] =
        intern(Kind::global, address + static_cast<uint64_t>(i) * 4, op.pc);
  }
}

uint32_t Confirm::undefined_bytes(const Wave& w, int reg, int n, int shift, uint32_t lanes) const {
  const uint32_t need = n >= 4 ? ~0u : ((1u << (8 * n)) - 1) << shift;
  uint32_t bad = 0;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    for (int i = 0; i < (n + 3) / 4; ++i) {
      const ExactRow& r = waves_[static_cast<size_t>(w.id)].v[static_cast<size_t>(reg + i)];
      if ((r.bits[static_cast<size_t>(l)] & need) != need) bad |= 1u << l;
    }
  }
  return bad;
}

Confirm::Birth Confirm::birth(const Wave& w, const Op& op, uint32_t lanes) {
  const auto of = [&](const Operand& o) -> uint32_t {
    if (o.kind == OperandKind::sgpr || o.kind == OperandKind::scc) {
      return o.kind == OperandKind::sgpr || !w.scc_def ? scalar_origin(w, o) : 0;
    }
    if (o.kind != OperandKind::vgpr) return 0;
    for (uint32_t m = lanes ? lanes : ~0u; m; m &= m - 1) {
      const int l = std::countr_zero(m);
      for (int k = 0; k < o.words; ++k) {
        const ExactRow& r = waves_[static_cast<size_t>(w.id)].v[static_cast<size_t>(o.reg + k)];
        if (r.bits[static_cast<size_t>(l)] != ~0u) return origin_of(w, o.reg + k, l);
      }
    }
    return 0;
  };
  const auto born = [&](uint32_t id) -> Birth {
    return {describe(id), id < origins_.size() && origins_[id].kind == Kind::inactive};
  };
  for (const Operand& o : op.src) {
    if (const uint32_t id = of(o)) return born(id);
  }
  if (op.reads_dst) {
    if (const uint32_t id = of(op.dst[0])) return born(id);
  }
  Operand vcc;
  vcc.kind = OperandKind::sgpr;
  vcc.reg = kVcc;
  Operand scc;
  scc.kind = OperandKind::scc;
  const Row* row = launch_.program->row_of(op);
  const bool by_vcc = row && row->mnemonic.find("vcc") != std::string_view::npos;
  return born(of(by_vcc ? vcc : scc));
}

void Confirm::earlier_lds_access(const Workgroup& g, uint64_t byte, int me, bool writer,
                                 Party& out) const {
  if (byte >= lds_access_.size()) return;
  const LdsAccess& x = lds_access_[byte];
  const Access* a = writer ? &x.writer : x.readers[0].wave != me ? &x.readers[0] : &x.readers[1];
  if (a->wave < 0) return;
  out.wave = a->wave;
  out.lane = a->lane;
  out.pc = a->pc;
  out.instruction = g.launch->program->code().text_at(a->pc);
  out.source = g.launch->program->code().source_at(a->pc);
}

}  // namespace w4::rdna
