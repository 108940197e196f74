// Atomics of global memory, flat addresses and LDS. Lanes go one by one in lane order: the order of
// one instruction's lanes is not defined by the ISA, and any order is a legal one.
#include <array>

#include "rdna/checks/align.h"
#include "rdna/checks/bounds.h"
#include "rdna/checks/global_race.h"
#include "rdna/checks/lds_shadow.h"
#include "rdna/checks/writers.h"
#include "rdna/confirm.h"
#include "rdna/rows/address.h"
#include "rdna/rows/atomic_ops.h"
#include "rdna/table.h"

namespace w4::rdna {
namespace {

template <class U>
U word(const Wave& w, int reg, int lane) {
  U x = w.v[reg].v[lane];
  if constexpr (sizeof(U) == 8) x |= static_cast<U>(w.v[reg + 1].v[lane]) << 32;
  return x;
}

template <class U>
uint32_t known(const Wave& w, int reg) {
  uint32_t d = ~0u;
  for (size_t i = 0; i < sizeof(U) / 4; ++i)
    d &= w.dlo[reg + static_cast<int>(i)] & w.dhi[reg + static_cast<int>(i)];
  return d;
}

// Where the operands are: global `data, compare` in consecutive registers, LDS in two sources.
struct Data {
  int value = 0, compare = -1;
};

// One lane at host address p; the old value goes to dst where there is one.
template <Atomic A, class U>
void one_lane(Wave& w, const Op& op, uint8_t* p, const Data& d, int lane) {
  U old;
  std::memcpy(&old, p, sizeof old);
  const U compare = A == Atomic::cmpswap ? word<U>(w, d.compare, lane) : U{0};
  const U now = apply_atomic<A, U>(old, word<U>(w, d.value, lane), compare);
  std::memcpy(p, &now, sizeof now);
  if (op.ndst == 0) return;
  const int reg = op.dst[0].reg;
  // Data and destination may share registers; a lane's data was read above.
  w.v[reg].v[lane] = static_cast<uint32_t>(old);
  if constexpr (sizeof(U) == 8) w.v[reg + 1].v[lane] = static_cast<uint32_t>(old >> 32);
}

template <Track T, Atomic A, class U>
bool data_known(Wave& w, const Op& op, const Data& d) {
  if constexpr (T == Track::on) {
    uint32_t bad = w.exec() & ~known<U>(w, d.value);
    if (A == Atomic::cmpswap) bad |= w.exec() & ~known<U>(w, d.compare);
    if (bad) undefined(w, op, FindingKind::undefined_store, bad);
  }
  return w.state == WaveState::ready;
}

template <Track T, class U>
void result_known(Wave& w, const Op& op, uint32_t lanes) {
  if constexpr (T == Track::on) {
    if (op.ndst == 0) return;
    for (size_t i = 0; i < sizeof(U) / 4; ++i)
      write_def(w, op.dst[0].reg + static_cast<int>(i), {}, lanes);
    if (w.group->launch->confirm)
      w.group->launch->confirm->defined(w, op.dst[0].reg, sizeof(U) / 4, lanes);
  }
}

template <Track T, Atomic A, class U>
void global_at(Wave& w, const Op& op, const uint64_t* a) {
  const uint32_t e = w.exec();
  const Data d{op.src[2].reg, op.src[2].reg + static_cast<int>(sizeof(U) / 4)};
  if (!data_known<T, A, U>(w, op, d)) return;
  if (!atomics_aligned(w, op, a, sizeof(U), e) || !check_lanes(w, op, a, sizeof(U), true, e))
    return;
  for (uint32_t m = e; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    Buffer* b = w.group->launch->memory->find(a[l], sizeof(U));
    if (!b || !b->writable) continue;
    const uint64_t offset = a[l] - b->base;
    if (b->state) {
      for (size_t i = 0; i < sizeof(U); ++i) {
        if (T == Track::off || (b->state[offset + i] & kDefined)) continue;
        if (!w.group->checks_on(kUninit)) continue;
        Finding f;
        f.kind = FindingKind::undefined_store;
        f.buffer = b->name;
        f.offset = static_cast<int64_t>(offset);
        f.bytes = sizeof(U);
        f.detail = "the atomic reads memory that was never written";
        f.born = "there";
        return report(w, op, std::move(f), 1u << l);
      }
    }
    uint64_t offsets[kLanes];
    offsets[l] = offset;
    if (!global_use(w, op, *b, offsets, sizeof(U), 1u << l, Use::atomic)) return;
    one_lane<A, U>(w, op, b->data + offset, d, l);
    if (b->writers) note_writers(w, op, *b, offsets, sizeof(U), 1u << l, true);
  }
  result_known<T, U>(w, op, e);
}

// In the shadow, atomics of several waves share an entry; a plain access of another wave does not.
// A plain access after atomics needs a barrier even in the same wave, unless it is the only one.
// `swaps`: a compare-and-swap, which other waves' plain reads may precede.
bool lds_note_atomic(Wave& w, const Op& op, uint64_t a, int n, int lane, bool swaps) {
  Workgroup& g = *w.group;
  Lds& lds = g.lds;
  const uint32_t me = lds.stamp(w.id);
  const uint32_t shared = lds.epoch << 7 | Lds::kAtomic << 1;
  if (swaps) lds.swapped.insert(a);
  for (uint64_t b = a; b < a + static_cast<uint64_t>(n); ++b) {
    uint32_t& x = lds.writer[b >> lds.shift];
    const uint32_t y = lds.reader[b >> lds.shift];
    const bool foreign_write = (x >> 7) == lds.epoch && (x & ~1u) != me && (x & ~1u) != shared;
    const bool foreign_read = (y >> 7) == lds.epoch && y != me && !swaps;
    if ((foreign_write || foreign_read) && g.checks_on(kLdsRace)) {
      report_lds_race(w, op, lane, a, static_cast<uint64_t>(n), true);
      return false;
    }
    x = g.waves.size() == 1 ? me : shared;
  }
  return true;
}

template <Track T, Atomic A, class U>
void lds_at(Wave& w, const Op& op, const uint64_t* a, const Data& d) {
  const uint32_t e = w.exec();
  Workgroup& g = *w.group;
  if (!data_known<T, A, U>(w, op, d)) return;
  if (!atomics_aligned(w, op, a, sizeof(U), e) || !lds_in_bounds(w, op, a, sizeof(U), e)) return;
  for (uint32_t m = e; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    if (g.lds.shadow) {
      if constexpr (T == Track::on) {
        for (uint64_t i = 0; i < sizeof(U); ++i) {
          const uint32_t x = g.lds.writer[(a[l] + i) >> g.lds.shift];
          if (!(x & 1) && x >> 7 >= g.lds.first_epoch) continue;
          if (!g.checks_on(kUninit)) continue;
          Finding f;
          f.kind = FindingKind::undefined_store;
          f.buffer = "LDS";
          f.offset = static_cast<int64_t>(a[l]);
          f.bytes = sizeof(U);
          f.detail = "the atomic reads LDS that was never written or holds an undefined value";
          if (g.launch->confirm) f.born = g.launch->confirm->birth_in_lds(op, a[l] + i);
          return report(w, op, std::move(f), 1u << l);
        }
      }
      if (!lds_note_atomic(w, op, a[l], sizeof(U), l, A == Atomic::cmpswap)) return;
    }
    one_lane<A, U>(w, op, g.lds.bytes.data() + a[l], d, l);
    if (T == Track::on && g.launch->confirm)
      g.launch->confirm->atomic_in_lds(w, op, a[l], sizeof(U), l);
  }
  result_known<T, U>(w, op, e);
}

template <Track T>
bool address_known(Wave& w, const Op& op, uint32_t bad) {
  if (T == Track::on && bad) undefined(w, op, FindingKind::undefined_address, bad);
  return w.state == WaveState::ready;
}

template <Track T, Atomic A, class U>
void global(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op, undefined_address(w, op))) return;
  uint64_t a[kLanes];
  global_addresses(w, op, a);
  global_at<T, A, U>(w, op, a);
}

template <Track T, Atomic A, class U>
void flat(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op, undefined_address(w, op))) return;
  uint64_t a[kLanes];
  global_addresses(w, op, a);
  uint32_t in_lds = 0, in_scratch = 0;
  for (int l = 0; l < kLanes; ++l) {
    in_lds |= uint32_t{a[l] >> 32 == kSharedApertureHi} << l;
    in_scratch |= uint32_t{a[l] >> 32 == kPrivateApertureHi} << l;
  }
  if (in_scratch & w.exec()) return unsupported(w, op, "atomic of private memory");
  if ((in_lds & w.exec()) == 0) return global_at<T, A, U>(w, op, a);
  if (w.exec() & ~in_lds) return unsupported(w, op, "one atomic on both LDS and global memory");
  for (uint64_t& x : a) x &= 0xffffffffu;
  lds_at<T, A, U>(w, op, a, {op.src[2].reg, op.src[2].reg + static_cast<int>(sizeof(U) / 4)});
}

template <Track T, Atomic A, class U>
void lds(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op, w.exec() & ~read_def(w, op.src[0]).all())) return;
  uint64_t a[kLanes];
  for (int l = 0; l < kLanes; ++l)
    a[l] = w.v[op.src[0].reg].v[l] + static_cast<uint64_t>(op.imm[0] & 0xffff);
  fill_inactive(a, w.exec());
  lds_at<T, A, U>(w, op, a, {op.src[1].reg, op.nsrc > 2 ? op.src[2].reg : 0});
}

// Floating-point atomics: rounding and denormals as IEEE; what the caches do is document only.
template <Atomic A>
constexpr Evidence kEvidence = A >= Atomic::fadd ? Evidence::document : Evidence::ieee;

using u32 = uint32_t;
using u64 = uint64_t;

#define W4_A(NAME, H, A, U) \
  Row { NAME, {H<Track::off, A, U>, H<Track::on, A, U>}, Flow::special, "atomic", kEvidence<A> }
#define W4_MEM(NAME, A, U) \
  W4_A("global_atomic_" NAME, global, A, U), W4_A("flat_atomic_" NAME, flat, A, U)
#define W4_LDS(OP, TYPE, A, U) \
  W4_A("ds_" OP "_" TYPE, lds, A, U), W4_A("ds_" OP "_rtn_" TYPE, lds, A, U)

constexpr std::array kRows = {
    W4_MEM("add_u32", Atomic::add, u32),
    W4_MEM("sub_u32", Atomic::sub, u32),
    W4_MEM("swap_b32", Atomic::swap, u32),
    W4_MEM("cmpswap_b32", Atomic::cmpswap, u32),
    W4_MEM("min_i32", Atomic::smin, u32),
    W4_MEM("max_i32", Atomic::smax, u32),
    W4_MEM("min_u32", Atomic::umin, u32),
    W4_MEM("max_u32", Atomic::umax, u32),
    W4_MEM("and_b32", Atomic::band, u32),
    W4_MEM("or_b32", Atomic::bor, u32),
    W4_MEM("xor_b32", Atomic::bxor, u32),
    W4_MEM("inc_u32", Atomic::inc, u32),
    W4_MEM("dec_u32", Atomic::dec, u32),
    W4_MEM("add_f32", Atomic::fadd, u32),
    W4_MEM("min_f32", Atomic::fmin, u32),
    W4_MEM("max_f32", Atomic::fmax, u32),
    W4_MEM("min_num_f32", Atomic::fmin, u32),
    W4_MEM("max_num_f32", Atomic::fmax, u32),
    W4_MEM("pk_add_f16", Atomic::pk_add_f16, u32),
    W4_MEM("pk_add_bf16", Atomic::pk_add_bf16, u32),
    W4_MEM("add_u64", Atomic::add, u64),
    W4_MEM("swap_b64", Atomic::swap, u64),
    W4_MEM("cmpswap_b64", Atomic::cmpswap, u64),
    W4_MEM("min_u64", Atomic::umin, u64),
    W4_MEM("max_u64", Atomic::umax, u64),
    W4_MEM("min_i64", Atomic::smin, u64),
    W4_MEM("max_i64", Atomic::smax, u64),
    W4_MEM("and_b64", Atomic::band, u64),
    W4_MEM("or_b64", Atomic::bor, u64),
    W4_MEM("xor_b64", Atomic::bxor, u64),
    W4_LDS("add", "u32", Atomic::add, u32),
    W4_LDS("sub", "u32", Atomic::sub, u32),
    W4_LDS("min", "i32", Atomic::smin, u32),
    W4_LDS("max", "i32", Atomic::smax, u32),
    W4_LDS("min", "u32", Atomic::umin, u32),
    W4_LDS("max", "u32", Atomic::umax, u32),
    W4_LDS("and", "b32", Atomic::band, u32),
    W4_LDS("or", "b32", Atomic::bor, u32),
    W4_LDS("xor", "b32", Atomic::bxor, u32),
    W4_LDS("inc", "u32", Atomic::inc, u32),
    W4_LDS("dec", "u32", Atomic::dec, u32),
    W4_LDS("add", "f32", Atomic::fadd, u32),
    W4_LDS("min", "f32", Atomic::fmin, u32),
    W4_LDS("max", "f32", Atomic::fmax, u32),
    W4_LDS("cmpstore", "b32", Atomic::cmpswap, u32),
    W4_LDS("storexchg", "b32", Atomic::swap, u32),
    W4_LDS("add", "u64", Atomic::add, u64),
    W4_LDS("cmpstore", "b64", Atomic::cmpswap, u64),
};

}  // namespace

std::span<const Row> atomic_rows() { return kRows; }

}  // namespace w4::rdna
