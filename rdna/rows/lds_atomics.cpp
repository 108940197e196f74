// Atomics of LDS: ds_add_u32 and its kin, without and with a returned value.
#include <array>

#include "rdna/rows/lds_atomic.h"
#include "rdna/table.h"

namespace w4::rdna {

// In the shadow, atomics of several waves share an entry; a plain access of another wave does not.
// A plain access after atomics needs a barrier even in the same wave, unless it is the only one.
// What this wave wrote plainly keeps its entry: its own atomics do not order that before others'.
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
      report_lds_race(w, op, lane, a, static_cast<uint64_t>(n), LdsUse::atomic);
      return false;
    }
    if ((x & ~1u) != me) x = g.waves.size() == 1 ? me : shared;
  }
  return true;
}

bool lds_atomic_defined(Wave& w, const Op& op, uint64_t a, int n, int lane) {
  const Lds& lds = w.group->lds;
  for (uint64_t i = 0; i < static_cast<uint64_t>(n); ++i) {
    const uint32_t x = lds.writer[(a + i) >> lds.shift];
    if (!(x & 1) && x >> 7 >= lds.first_epoch) continue;
    if (!w.group->checks_on(kUninit)) continue;
    Finding f;
    f.kind = FindingKind::undefined_store;
    f.buffer = "LDS";
    f.offset = static_cast<int64_t>(a);
    f.bytes = n;
    f.detail = "the atomic reads LDS that was never written or holds an undefined value";
    if (Confirm* confirm = w.group->launch->confirm) f.born = confirm->birth_in_lds(op, a + i);
    report(w, op, std::move(f), 1u << lane);
    return false;
  }
  return true;
}

namespace {

template <Track T, Atomic A, class U>
void lds(Wave& w, const Op& op) {
  if (w.exec() == 0 || !atomic_address_known<T>(w, op, w.exec() & ~read_def(w, op.src[0]).all()))
    return;
  uint64_t a[kLanes];
  for (int l = 0; l < kLanes; ++l)
    a[l] = w.v[op.src[0].reg].v[l] + static_cast<uint32_t>(op.imm[0] & 0xffff);
  fill_inactive(a, w.exec());
  lds_at<T, A, U>(w, op, a, {op.src[1].reg, op.nsrc > 2 ? op.src[2].reg : 0});
}

// Two addresses from one register, two exchanges: the old values go to consecutive registers.
template <Track T, class U, int kStride>
void exchange2(Wave& w, const Op& op) {
  if (w.exec() == 0 || !atomic_address_known<T>(w, op, w.exec() & ~read_def(w, op.src[0]).all()))
    return;
  constexpr int kWords = sizeof(U) / 4;
  const int first = op.dst[0].reg, end = first + 2 * kWords;
  for (int i = 0; i < 3; ++i) {
    const Operand& o = op.src[i];
    if (o.reg < end && o.reg + (i ? kWords : 1) > first)
      return unsupported(w, op, "an exchange of two places whose result overlaps its sources");
  }
  const Lanes& address = w.v[op.src[0].reg];
  Op half = op;
  for (int k = 0; k < 2 && w.state == WaveState::ready; ++k) {
    uint64_t a[kLanes];
    for (int l = 0; l < kLanes; ++l)
      a[l] = address.v[l] + static_cast<uint64_t>(op.imm[k] & 0xff) * sizeof(U) * kStride;
    fill_inactive(a, w.exec());
    half.dst[0].reg = static_cast<uint16_t>(op.dst[0].reg + k * kWords);
    lds_at<T, Atomic::swap, U>(w, half, a, {op.src[1 + k].reg});
  }
}

// The wave takes as many places as it has active lanes: one counter at M0 + offset, the old value
// to every lane.
template <Track T, bool kAppend>
void count_lanes(Wave& w, const Op& op) {
  const uint32_t e = w.exec();
  if (e == 0) return;
  const bool known = (w.sdef[kM0] & 0xffffu) == 0xffffu;
  if (!atomic_address_known<T>(w, op, known ? 0 : e)) return;
  uint64_t a[kLanes];
  for (uint64_t& x : a) x = (w.s[kM0] & 0xffffu) + static_cast<uint64_t>(op.imm[0] & 0xffff);
  const uint32_t one = e & ~(e - 1);
  const int lane = std::countr_zero(e);
  if (!atomics_aligned(w, op, a, 4, one) || !lds_in_bounds(w, op, a, 4, one)) return;
  Lds& lds = w.group->lds;
  if (lds.shadow) {
    if (T == Track::on && !lds_atomic_defined(w, op, a[0], 4, lane)) return;
    if (!lds_note_atomic(w, op, a[0], 4, lane, false)) return;
  }
  uint32_t old;
  std::memcpy(&old, lds.bytes.data() + a[0], 4);
  const auto lanes = static_cast<uint32_t>(std::popcount(e));
  const uint32_t now = kAppend ? old + lanes : old - lanes;
  std::memcpy(lds.bytes.data() + a[0], &now, 4);
  if (T == Track::on && w.group->launch->confirm)
    w.group->launch->confirm->atomic_in_lds(w, op, a[0], 4, lane);
  write_lanes(w, op.dst[0].reg, [old](int) { return old; });
  result_known<T, uint32_t>(w, op, e);
}

using u32 = uint32_t;
using u64 = uint64_t;

#define W4_A(NAME, A, U)                                                          \
  Row {                                                                           \
    NAME, {lds<Track::off, A, U>, lds<Track::on, A, U>}, Flow::special, "atomic", \
        kAtomicEvidence<A>                                                        \
  }
#define W4_LDS(OP, TYPE, A, U) W4_A("ds_" OP "_" TYPE, A, U), W4_A("ds_" OP "_rtn_" TYPE, A, U)
#define W4_INT(W, U)                                                                               \
  W4_LDS("add", "u" W, Atomic::add, U), W4_LDS("sub", "u" W, Atomic::sub, U),                      \
      W4_LDS("rsub", "u" W, Atomic::rsub, U), W4_LDS("min", "i" W, Atomic::smin, U),               \
      W4_LDS("max", "i" W, Atomic::smax, U), W4_LDS("min", "u" W, Atomic::umin, U),                \
      W4_LDS("max", "u" W, Atomic::umax, U), W4_LDS("and", "b" W, Atomic::band, U),                \
      W4_LDS("or", "b" W, Atomic::bor, U), W4_LDS("xor", "b" W, Atomic::bxor, U),                  \
      W4_LDS("inc", "u" W, Atomic::inc, U), W4_LDS("dec", "u" W, Atomic::dec, U),                  \
      W4_LDS("mskor", "b" W, Atomic::masked_or, U), W4_LDS("cmpstore", "b" W, Atomic::cmpswap, U), \
      W4_LDS("cmpstore", "f" W, Atomic::fcmpswap, U), W4_LDS("min", "f" W, Atomic::fmin, U),       \
      W4_LDS("max", "f" W, Atomic::fmax, U), W4_LDS("min_num", "f" W, Atomic::fmin, U),            \
      W4_LDS("max_num", "f" W, Atomic::fmax, U), W4_A("ds_storexchg_rtn_b" W, Atomic::swap, U)
#define W4_COUNT(NAME, APPEND)                                                              \
  Row {                                                                                     \
    NAME, {count_lanes<Track::off, APPEND>, count_lanes<Track::on, APPEND>}, Flow::special, \
        "atomic", Evidence::document                                                        \
  }
#define W4_TWO(NAME, U, STRIDE)                                            \
  Row{NAME,                                                                \
      {exchange2<Track::off, U, STRIDE>, exchange2<Track::on, U, STRIDE>}, \
      Flow::special,                                                       \
      "atomic"}

constexpr std::array kRows = {
    W4_INT("32", u32),
    W4_INT("64", u64),
    W4_LDS("add", "f32", Atomic::fadd, u32),
    W4_LDS("pk_add", "f16", Atomic::pk_add_f16, u32),
    W4_LDS("pk_add", "bf16", Atomic::pk_add_bf16, u32),
    W4_LDS("sub_clamp", "u32", Atomic::sub_clamp, u32),
    W4_LDS("cond_sub", "u32", Atomic::cond_sub, u32),
    W4_A("ds_wrap_rtn_b32", Atomic::wrap, u32),
    W4_COUNT("ds_append", true),
    W4_COUNT("ds_consume", false),
    W4_TWO("ds_storexchg_2addr_rtn_b32", u32, 1),
    W4_TWO("ds_storexchg_2addr_rtn_b64", u64, 1),
    W4_TWO("ds_storexchg_2addr_stride64_rtn_b32", u32, 64),
    W4_TWO("ds_storexchg_2addr_stride64_rtn_b64", u64, 64),
};
#undef W4_TWO
#undef W4_COUNT
#undef W4_INT
#undef W4_LDS
#undef W4_A

}  // namespace

std::span<const Row> lds_atomic_rows() { return kRows; }

}  // namespace w4::rdna
