// Atomics of global memory, flat addresses and buffer resources.
#include <array>

#include "rdna/checks/bounds.h"
#include "rdna/checks/global_race.h"
#include "rdna/checks/writers.h"
#include "rdna/rows/buffer_address.h"
#include "rdna/rows/lds_atomic.h"
#include "rdna/table.h"

namespace w4::rdna {
namespace {

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
    if (w.group->launch->log) {
      wait_for_turn(w);
      return;
    }
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
        f.born = fmt::format("byte {} of {} was never written", offset + i, b->name);
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

template <Track T, Atomic A, class U>
void global(Wave& w, const Op& op) {
  if (w.exec() == 0 || !atomic_address_known<T>(w, op, undefined_address(w, op))) return;
  uint64_t a[kLanes];
  global_addresses(w, op, a);
  global_at<T, A, U>(w, op, a);
}

template <Track T, Atomic A, class U>
void flat(Wave& w, const Op& op) {
  if (w.exec() == 0 || !atomic_address_known<T>(w, op, undefined_address(w, op))) return;
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

// Range-checked as a whole; outside, nothing is done and 0 returned.
template <Track T, Atomic A, class U>
void buffer(Wave& w, const Op& op) {
  if (w.exec() == 0 || !atomic_address_known<T>(w, op, undefined_buffer_address(w, op))) return;
  BufferAccess a;
  if (!buffer_access(w, op, a)) return;
  const uint32_t e = w.exec(), in = a.inside(e, sizeof(U));
  if (in) {
    fill_inactive(a.address, in);
    w.s[kExec] = in;
    global_at<T, A, U>(w, op, a.address);
    w.s[kExec] = e;
  }
  if (in == e || op.ndst == 0 || w.state != WaveState::ready) return;
  for (size_t i = 0; i < sizeof(U) / 4; ++i) {
    uint32_t* row = w.v[op.dst[0].reg + static_cast<int>(i)].v;
    for (int l = 0; l < kLanes; ++l) row[l] = ((e & ~in) >> l & 1) ? 0 : row[l];
  }
  result_known<T, U>(w, op, e & ~in);
}

using u32 = uint32_t;
using u64 = uint64_t;

#define W4_A(NAME, H, A, U)                                                                      \
  Row {                                                                                          \
    NAME, {H<Track::off, A, U>, H<Track::on, A, U>}, Flow::special, "atomic", kAtomicEvidence<A> \
  }
#define W4_MEM(NAME, A, U)                                                          \
  W4_A("global_atomic_" NAME, global, A, U), W4_A("flat_atomic_" NAME, flat, A, U), \
      W4_A("buffer_atomic_" NAME, buffer, A, U)

constexpr std::array kRows = {
    W4_MEM("add_u32", Atomic::add, u32),
    W4_MEM("sub_u32", Atomic::sub, u32),
    W4_MEM("swap_b32", Atomic::swap, u32),
    W4_MEM("cmpswap_b32", Atomic::cmpswap, u32),
    W4_MEM("cmpswap_f32", Atomic::fcmpswap, u32),
    W4_MEM("min_i32", Atomic::smin, u32),
    W4_MEM("max_i32", Atomic::smax, u32),
    W4_MEM("min_u32", Atomic::umin, u32),
    W4_MEM("max_u32", Atomic::umax, u32),
    W4_MEM("and_b32", Atomic::band, u32),
    W4_MEM("or_b32", Atomic::bor, u32),
    W4_MEM("xor_b32", Atomic::bxor, u32),
    W4_MEM("inc_u32", Atomic::inc, u32),
    W4_MEM("dec_u32", Atomic::dec, u32),
    W4_MEM("csub_u32", Atomic::sub_clamp, u32),
    W4_MEM("sub_clamp_u32", Atomic::sub_clamp, u32),
    W4_MEM("cond_sub_u32", Atomic::cond_sub, u32),
    W4_MEM("add_f32", Atomic::fadd, u32),
    W4_MEM("min_f32", Atomic::fmin, u32),
    W4_MEM("max_f32", Atomic::fmax, u32),
    W4_MEM("min_num_f32", Atomic::fmin, u32),
    W4_MEM("max_num_f32", Atomic::fmax, u32),
    W4_MEM("pk_add_f16", Atomic::pk_add_f16, u32),
    W4_MEM("pk_add_bf16", Atomic::pk_add_bf16, u32),
    W4_MEM("add_u64", Atomic::add, u64),
    W4_MEM("sub_u64", Atomic::sub, u64),
    W4_MEM("swap_b64", Atomic::swap, u64),
    W4_MEM("cmpswap_b64", Atomic::cmpswap, u64),
    W4_MEM("min_u64", Atomic::umin, u64),
    W4_MEM("max_u64", Atomic::umax, u64),
    W4_MEM("min_i64", Atomic::smin, u64),
    W4_MEM("max_i64", Atomic::smax, u64),
    W4_MEM("and_b64", Atomic::band, u64),
    W4_MEM("or_b64", Atomic::bor, u64),
    W4_MEM("xor_b64", Atomic::bxor, u64),
    W4_MEM("inc_u64", Atomic::inc, u64),
    W4_MEM("dec_u64", Atomic::dec, u64),
};
#undef W4_MEM
#undef W4_A

}  // namespace

std::span<const Row> atomic_rows() { return kRows; }

}  // namespace w4::rdna
