// Vector instructions on the four bytes of a word: averages, sliding sums of absolute differences,
// conversions to bytes.
#include <algorithm>
#include <array>
#include <cmath>

#include "rdna/isa/float_in.h"
#include "rdna/isa/lane_op.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

u32 byte(u64 x, int i) { return static_cast<u32>(x >> (8 * i)) & 255; }

u32 lerp(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (int i = 0; i < 4; ++i) r |= (byte(a, i) + byte(b, i) + (byte(c, i) & 1)) / 2 << (8 * i);
  return r;
}

u32 saturated_bytes(u32 x) {
  const auto clamp = [](u32 h) {
    return static_cast<u32>(std::clamp<int>(static_cast<int16_t>(h), 0, 255));
  };
  return clamp(x) | clamp(x >> 16) << 8;
}

// |a - b| of four bytes from byte `from` of a; kMasked: bytes of b that are zero do not count.
template <bool kMasked>
u32 differences(u64 a, u32 b, int from) {
  u32 sum = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 x = byte(a, from + i), y = byte(b, i);
    if (!kMasked || y) sum += x > y ? x - y : y - x;
  }
  return sum;
}

// Four sums that slide by one byte, added to the fields of src[2]: 16 bits in 64, or 32 in 128.
template <Track T, bool kMasked, bool kWide>
void run_sliding(Wave& w, const Op& op) {
  if (op.clamp) [[unlikely]]
    return unsupported(w, op, "integer clamp");
  constexpr int kWords = kWide ? 4 : 2;
  Lanes ta, th, tb, tc[kWords], r[kWords] = {};
  const u32 *lo = read_v(w, op.src[0], ta), *hi = read_v(w, op.src[0], th, 1);
  const u32* b = read_v(w, op.src[1], tb);
  const u32* c[kWords];
  for (int i = 0; i < kWords; ++i) c[i] = read_v(w, op.src[2], tc[i], i);
  for (int l = 0; l < kLanes; ++l) {
    for (int i = 0; i < 4; ++i) {
      const u32 sum = differences<kMasked>(lo[l] | u64{hi[l]} << 32, b[l], i);
      if constexpr (kWide) {
        r[i].v[l] = c[i][l] + sum;
      } else {
        const int s = i % 2 * 16;
        r[i / 2].v[l] |= ((c[i / 2][l] >> s) + sum & 0xffffu) << s;
      }
    }
  }
  u32 d = ~0u;
  if constexpr (T == Track::on) {
    d = def64(w, op.src[0]) & read_def(w, op.src[1]).all();
    for (int i = 0; i < kWords; ++i) d &= read_def(w, op.src[2], i).all();
  }
  for (int i = 0; i < kWords; ++i) {
    put_lanes(w, op.dst[0].reg + i, r[i]);
    if constexpr (T == Track::on) write_def(w, op.dst[0].reg + i, {d, d}, w.exec());
  }
}

// Byte src[1][1:0] of src[2] becomes src[0] rounded to 0 … 255. The documents do not name the
// rounding: to nearest even, as MODE says at its start.
template <Track T>
void run_cvt_pk_u8(Wave& w, const Op& op) {
  if (w.round32) [[unlikely]]
    return unsupported(w, op, "fp32 rounding mode other than nearest even");
  Lanes ta, tb, tc;
  const FloatBits* a = read_f32(w, op.src[0], ta);
  const u32 *b = read_v(w, op.src[1], tb), *c = read_v(w, op.src[2], tc);
  Defined d;
  if constexpr (T == Track::on) {
    const u32 known = read_def(w, op.src[0]).all() & read_def(w, op.src[1]).lo;
    d = read_def(w, op.src[2]);
    d = {d.lo & known, d.hi & known};
  }
  write_lanes(w, op.dst[0].reg, [&](int l) {
    const float x = a[l];
    const u32 value = x > 0 ? static_cast<u32>(std::rint(std::min(x, 255.f))) : 0;
    const u32 at = 8 * (b[l] & 3);
    return (c[l] & ~(255u << at)) | value << at;
  });
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, d, w.exec());
}

// The two bytes fill the low half; gfx11 and gfx12 write it alone.
template <Track T>
void run_sat_pk(Wave& w, const Op& op) {
  Lanes t, h;
  const u32* a = read_v(w, op.src[0], t);
  for (int l = 0; l < kLanes; ++l) h.v[l] = saturated_bytes(a[l]);
  const u32 d = T == Track::on ? read_def(w, op.src[0]).all() : ~0u;
  write_half(w, op.dst[0].reg, high_dst(op), h);
  if constexpr (T == Track::on) write_half_def(w, op.dst[0].reg, high_dst(op), d);
}

#define BOTH(H, ...) \
  {H<Track::off __VA_OPT__(, ) __VA_ARGS__>, H<Track::on __VA_OPT__(, ) __VA_ARGS__>}
constexpr auto kLerp = [](u32 a, u32 b, u32 c) { return lerp(a, b, c); };

constexpr Row kRows[] = {
    {"v_lerp_u8", BOTH(run_lanes, 3, kLerp, rule::kMix), Flow::mix, "valu_byte"},
    {"v_qsad_pk_u16_u8", BOTH(run_sliding, false, false), Flow::mix, "valu_byte"},
    {"v_mqsad_pk_u16_u8", BOTH(run_sliding, true, false), Flow::mix, "valu_byte"},
    {"v_mqsad_u32_u8", BOTH(run_sliding, true, true), Flow::mix, "valu_byte"},
    {"v_cvt_pk_u8_f32", BOTH(run_cvt_pk_u8), Flow::mix, "valu_byte", Evidence::document},
    {"v_sat_pk_u8_i16", BOTH(run_sat_pk), Flow::half, "valu_byte"},
};

}  // namespace

std::span<const Row> valu_byte_rows() { return kRows; }

}  // namespace w4::rdna
