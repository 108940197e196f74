// Exact bits of LDS, scratch and global memory, and who touched a byte of LDS last.
#include <algorithm>
#include <bit>

#include "rdna/confirm.h"

namespace w4::rdna {

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
        if (space == Space::lds)
          note(lds_access_[at].readers, {w.id, l, op.pc, w.group->lds.epoch});
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
  if (space == Space::lds) gaps_.clear();
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
        lds_access_[a[l] + static_cast<uint64_t>(i)].store = {w.id, l, op.pc, w.group->lds.epoch};
    }
  }
}

void Confirm::atomic_in_lds(const Wave& w, const Op& op, uint64_t address, size_t n, int lane) {
  for (uint64_t b = address; b < address + n; ++b)
    note(lds_access_[b].atomics, {w.id, lane, op.pc, w.group->lds.epoch});
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

void Confirm::earlier_lds_access(const Workgroup& g, uint64_t byte, int me, Before what,
                                 Party& out) const {
  if (byte >= lds_access_.size()) return;
  const LdsAccess& x = lds_access_[byte];
  const Access* a = &x.store;
  if (what != Before::store) {
    a = what == Before::atomic ? x.atomics : x.readers;
    if (a->wave == me) ++a;
  }
  if (a->wave < 0 || a->wave == me || a->epoch != g.lds.epoch) return;
  out.wave = a->wave;
  out.lane = a->lane;
  out.pc = a->pc;
  out.instruction = g.launch->program->code().text_at(a->pc);
  out.source = g.launch->program->code().source_at(a->pc);
  out.files = g.launch->program->code().files_at(a->pc);
}

}  // namespace w4::rdna
