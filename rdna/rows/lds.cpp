// ds_*: loads and stores of every width, the two-address forms, and the lane moves that go through
// the LDS crossbar without touching LDS.
#include <algorithm>
#include <array>

#include "rdna/rows/lds_move.h"
#include "rdna/table.h"

namespace w4::rdna {
namespace {

template <Track T>
bool address_known(Wave& w, const Op& op) {
  if constexpr (T == Track::on) {
    const uint32_t bad = w.exec() & ~read_def(w, op.src[0]).all();
    if (bad) [[unlikely]] {
      undefined(w, op, FindingKind::undefined_address, bad);
      return w.state == WaveState::ready;
    }
  }
  return true;
}

// The sum wraps at 32 bits: compilers fold offsets into bases below zero (isDSOffsetLegal in LLVM).
void addresses(const Wave& w, const Op& op, int64_t offset, uint64_t* a) {
  const uint32_t* v = w.v[op.src[0].reg].v;
  for (int l = 0; l < kLanes; ++l) a[l] = v[l] + static_cast<uint32_t>(offset);
  fill_inactive(a, w.exec());
}

template <Track T, int N, Fit F>
void load(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  uint64_t a[kLanes];
  addresses(w, op, op.imm[0] & 0xffff, a);
  lds_load<T, N, F>(w, op, a, op.dst[0].reg);
}

template <Track T, int N, int kShift>
void store(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  uint64_t a[kLanes];
  addresses(w, op, op.imm[0] & 0xffff, a);
  lds_store<T, N, kShift>(w, op, a, op.src[1].reg);
}

// Two addresses from one register: the byte offsets count elements (or 64 of them).
template <Track T, int N, int kStride>
void load2(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  uint64_t a[2][kLanes];
  for (int i = 0; i < 2; ++i) addresses(w, op, (op.imm[i] & 0xff) * N * kStride, a[i]);
  for (int i = 0; i < 2 && w.state == WaveState::ready; ++i) {
    lds_load<T, N, Fit::words>(w, op, a[i], op.dst[0].reg + i * (N / 4));
  }
}

template <Track T, int N, int kStride>
void store2(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  uint64_t a[kLanes];
  for (int i = 0; i < 2 && w.state == WaveState::ready; ++i) {
    addresses(w, op, (op.imm[i] & 0xff) * N * kStride, a);
    lds_store<T, N, 0>(w, op, a, op.src[1 + i].reg);
  }
}

// dst[l] = data[source(l)]; an inactive source lane gives 0.
template <Track T, class Source>
void move_lanes(Wave& w, const Op& op, const Operand& data, Source source) {
  const uint32_t e = w.exec();
  const uint32_t* from = w.v[data.reg].v;
  Lanes t;
  Defined d{0, 0};
  // Zero by definition, but nothing that a program can want: the check `lanes` sees where it goes.
  const uint32_t zero = w.lane_use ? 0 : 1;
  for (int l = 0; l < kLanes; ++l) {
    const int s = source(l);
    const bool active = e >> s & 1;
    t.v[l] = active ? from[s] : 0;
    d.lo |= (active ? w.dlo[data.reg] >> s & 1 : zero) << l;
    d.hi |= (active ? w.dhi[data.reg] >> s & 1 : zero) << l;
    if (w.lane_use && !active) w.from_inactive |= e & 1u << l;
    if (w.moves) w.moves->from[l] = static_cast<int8_t>(active ? s : -1);
  }
  if (w.moves) w.moves->reg = data.reg;
  keep_row(w, op.dst[0].reg, t, e);
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, d, e);
}

template <Track T>
void bpermute(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  Lanes where = w.v[op.src[0].reg];
  const uint32_t offset = static_cast<uint32_t>(op.imm[0] & 0xffff);
  move_lanes<T>(w, op, op.src[1],
                [&](int l) { return static_cast<int>((where.v[l] + offset) >> 2 & 31); });
}

// Push form: lane l's value goes to the lane its address names; the last writer wins, others get 0.
template <Track T>
void permute(Wave& w, const Op& op) {
  const uint32_t e = w.exec();
  if (e == 0 || !address_known<T>(w, op)) return;
  const uint32_t offset = static_cast<uint32_t>(op.imm[0] & 0xffff);
  Lanes t = {};
  Defined d;
  const int data = op.src[1].reg;
  if (w.moves) {
    std::fill_n(w.moves->from, kLanes, int8_t{-1});
    w.moves->reg = data;
  }
  for (uint32_t m = e; m; m &= m - 1) {
    const int l = __builtin_ctz(m);
    const int to = static_cast<int>((w.v[op.src[0].reg].v[l] + offset) >> 2 & 31);
    t.v[to] = w.v[data].v[l];
    d.lo = (d.lo & ~(1u << to)) | (w.dlo[data] >> l & 1) << to;
    d.hi = (d.hi & ~(1u << to)) | (w.dhi[data] >> l & 1) << to;
    if (w.moves) w.moves->from[to] = static_cast<int8_t>(l);
  }
  keep_row(w, op.dst[0].reg, t, e);
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, d, e);
}

template <Track T>
void swizzle(Wave& w, const Op& op) {
  const int c = static_cast<int>(op.imm[0] & 0xffff);
  if (c >= 0xe000) return unsupported(w, op, "swizzle in FFT mode");
  if (c >= 0xc000) {  // rotate within 32 lanes
    const int mask = c & 31, n = c >> 5 & 31, back = c >> 10 & 1;
    return move_lanes<T>(w, op, op.src[0],
                         [=](int l) { return (l & mask) | ((back ? l - n : l + n) & ~mask & 31); });
  }
  if (c & 0x8000) {  // quad permute
    return move_lanes<T>(w, op, op.src[0],
                         [=](int l) { return (l & ~3) | (c >> (2 * (l & 3)) & 3); });
  }
  const int mask_and = c & 31, mask_or = c >> 5 & 31, mask_xor = c >> 10 & 31;
  move_lanes<T>(w, op, op.src[0], [=](int l) { return ((l & mask_and) | mask_or) ^ mask_xor; });
}

#define W4_ROW(NAME, ...) \
  Row { NAME, {__VA_ARGS__}, Flow::special, "lds", Evidence::ieee }
#define W4_BOTH(NAME, H, ...) W4_ROW(NAME, H<Track::off, __VA_ARGS__>, H<Track::on, __VA_ARGS__>)

constexpr std::array kRows = {
    W4_BOTH("ds_load_b32", load, 4, Fit::words),
    W4_BOTH("ds_load_b64", load, 8, Fit::words),
    W4_BOTH("ds_load_b96", load, 12, Fit::words),
    W4_BOTH("ds_load_b128", load, 16, Fit::words),
    W4_BOTH("ds_load_u8", load, 1, Fit::words),
    W4_BOTH("ds_load_i8", load, 1, Fit::sext8),
    W4_BOTH("ds_load_u16", load, 2, Fit::words),
    W4_BOTH("ds_load_i16", load, 2, Fit::sext16),
    W4_BOTH("ds_load_u16_d16", load, 2, Fit::d16_lo),
    W4_BOTH("ds_load_u16_d16_hi", load, 2, Fit::d16_hi),
    W4_BOTH("ds_load_u8_d16", load, 1, Fit::d16_lo),
    W4_BOTH("ds_load_u8_d16_hi", load, 1, Fit::d16_hi),
    W4_BOTH("ds_load_i8_d16", load, 1, Fit::d16_lo_sext8),
    W4_BOTH("ds_load_i8_d16_hi", load, 1, Fit::d16_hi_sext8),
    W4_BOTH("ds_load_2addr_b32", load2, 4, 1),
    W4_BOTH("ds_load_2addr_b64", load2, 8, 1),
    W4_BOTH("ds_load_2addr_stride64_b32", load2, 4, 64),
    W4_BOTH("ds_load_2addr_stride64_b64", load2, 8, 64),
    W4_BOTH("ds_store_b8", store, 1, 0),
    W4_BOTH("ds_store_b16", store, 2, 0),
    W4_BOTH("ds_store_b8_d16_hi", store, 1, 16),
    W4_BOTH("ds_store_b16_d16_hi", store, 2, 16),
    W4_BOTH("ds_store_b32", store, 4, 0),
    W4_BOTH("ds_store_b64", store, 8, 0),
    W4_BOTH("ds_store_b96", store, 12, 0),
    W4_BOTH("ds_store_b128", store, 16, 0),
    W4_BOTH("ds_store_2addr_b32", store2, 4, 1),
    W4_BOTH("ds_store_2addr_b64", store2, 8, 1),
    W4_BOTH("ds_store_2addr_stride64_b32", store2, 4, 64),
    W4_BOTH("ds_store_2addr_stride64_b64", store2, 8, 64),
    W4_ROW("ds_bpermute_b32", bpermute<Track::off>, bpermute<Track::on>),
    W4_ROW("ds_permute_b32", permute<Track::off>, permute<Track::on>),
    W4_ROW("ds_swizzle_b32", swizzle<Track::off>, swizzle<Track::on>),
};

}  // namespace

std::span<const Row> lds_rows() { return kRows; }

}  // namespace w4::rdna
