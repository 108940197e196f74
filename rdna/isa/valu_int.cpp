// Integer vector instructions of one result word: bits, sums, shifts, fields, 16-bit forms.
#include <algorithm>

#include "rdna/isa/lane_op.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

template <auto F, auto R = rule::kMix>
constexpr Row one(std::string_view m, Flow flow = Flow::mix) {
  return {m, {run_lanes<Track::off, 1, F, R>, run_lanes<Track::on, 1, F, R>}, flow, "valu_int"};
}
template <auto F, auto R = rule::kMix>
constexpr Row two(std::string_view m, Flow flow = Flow::mix) {
  return {m, {run_lanes<Track::off, 2, F, R>, run_lanes<Track::on, 2, F, R>}, flow, "valu_int"};
}
// Sums whose VOP3 form may clamp: G is F saturated to the type's range, and every bit of it depends
// on every bit of the sources.
template <Track T, auto F, auto G, auto R>
void run_clamping(Wave& w, const Op& op) {
  if (!op.clamp) [[likely]]
    return run_lanes<T, 2, F, R>(w, op);
  Op plain = op;
  plain.clamp = false;
  run_lanes<T, 2, G, rule::kMix>(w, plain);
}
template <auto F, auto G, auto R>
constexpr Row two_clamping(std::string_view m, Flow flow) {
  return {
      m, {run_clamping<Track::off, F, G, R>, run_clamping<Track::on, F, G, R>}, flow, "valu_int"};
}
template <auto F, auto R = rule::kMix>
constexpr Row three(std::string_view m, Flow flow = Flow::mix) {
  return {m, {run_lanes<Track::off, 3, F, R>, run_lanes<Track::on, 3, F, R>}, flow, "valu_int"};
}
// F without clamp, G with it: saturated to the range of the 16-bit type.
template <Track T, auto F, auto G>
void run_halves_clamping(Wave& w, const Op& op) {
  if (!op.clamp) [[likely]]
    return run_halves<T, 2, F>(w, op);
  Op plain = op;
  plain.clamp = false;
  run_halves<T, 2, G>(w, plain);
}
template <auto F, auto G>
constexpr Row half_clamping(std::string_view m) {
  return {m,
          {run_halves_clamping<Track::off, F, G>, run_halves_clamping<Track::on, F, G>},
          Flow::half,
          "valu_int"};
}
template <int N, auto F>
constexpr Row half(std::string_view m) {
  return {m, {run_halves<Track::off, N, F>, run_halves<Track::on, N, F>}, Flow::half, "valu_int"};
}

// Two chosen halves and a word: v_mad_u32_u16 and its like.
template <Track T, auto F>
void run_mad_wide(Wave& w, const Op& op) {
  if (op.clamp) [[unlikely]]
    return unsupported(w, op, "integer clamp");
  Lanes t[3];
  const u32* p[3];
  for (int i = 0; i < 3; ++i) p[i] = read_v(w, op.src[i], t[i]);
  const int sa = half_shift(op.src[0]), sb = half_shift(op.src[1]);
  Defined r;
  if constexpr (T == Track::on) {
    const u32 ab = half_def(w, op.src[0]) & half_def(w, op.src[1]);
    const Defined c = read_def(w, op.src[2]);
    r = {ab & c.lo, ab & c.all()};
  }
  write_lanes(w, op.dst[0].reg,
              [&](int l) -> u32 { return F(p[0][l] >> sa, p[1][l] >> sb, p[2][l]); });
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, r, w.exec());
}
template <auto F>
constexpr Row mad_wide(std::string_view m) {
  return {m, {run_mad_wide<Track::off, F>, run_mad_wide<Track::on, F>}, Flow::special, "valu_int"};
}

constexpr i32 s24(u32 x) { return static_cast<i32>(x << 8) >> 8; }
constexpr i32 s16(u32 x) { return static_cast<int16_t>(x); }
constexpr u32 field(u32 x, u32 offset, u32 width) {
  return (x >> (offset & 31)) & ((1u << (width & 31)) - 1);
}
// The shift is arithmetic: a field that reaches beyond bit 31 is filled with the sign.
constexpr u32 field_signed(u32 x, u32 offset, u32 width) {
  const u32 n = width & 31;
  const u32 v = static_cast<u32>(static_cast<i32>(x) >> (offset & 31)) & ((1u << n) - 1);
  // (v ^ sign) - sign extends the sign bit; n == 0 gives 0.
  const u32 sign = n ? 1u << (n - 1) : 0u;
  return (v ^ sign) - sign;
}
constexpr u32 perm_byte(u32 hi, u32 lo, u32 sel) {
  const u64 x = u64{hi} << 32 | lo;
  const u32 s = sel & 0xff;
  if (s < 8) return (x >> (8 * s)) & 0xff;
  if (s >= 13) return 0xff;
  if (s == 12) return 0;
  return (x >> (16 * (s - 8) + 15) & 1) ? 0xff : 0;
}
constexpr u32 perm(u32 hi, u32 lo, u32 sel) {
  u32 r = 0;
  for (int i = 0; i < 4; ++i) r |= perm_byte(hi, lo, sel >> (8 * i)) << (8 * i);
  return r;
}
constexpr u32 perm_def(Known hi, Known lo, Known sel) {
  u32 r = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 s = sel.v >> (8 * i) & 0xff;
    const bool known = (sel.d >> (8 * i) & 0xff) == 0xff;
    u32 m = 0xff;
    if (s < 8) {
      m = ((s < 4 ? lo.d : hi.d) >> (8 * (s & 3))) & 0xff;
    } else if (s < 12) {
      m = (((s < 10 ? lo.d : hi.d) >> (16 * (s & 1) + 15)) & 1) ? 0xff : 0;
    }
    r |= (known ? m : 0) << (8 * i);
  }
  return r;
}
// A selector that is the same in all lanes (nearly always) makes four vector passes.
template <Track T>
void run_perm(Wave& w, const Op& op) {
  if (op.src[2].kind == OperandKind::vgpr) return run_lanes<T, 3, perm, perm_def>(w, op);
  Lanes ta, tb, r;
  const u32 *a = read_v(w, op.src[0], ta), *b = read_v(w, op.src[1], tb);
  const u32 sel = read_s(w, op.src[2]);
  if constexpr (T == Track::on) {
    Lanes ts;
    const Defined d[3] = {read_def(w, op.src[0]), read_def(w, op.src[1]), read_def(w, op.src[2])};
    const u32* const p[3] = {a, b, read_v(w, op.src[2], ts)};
    write_def(w, op.dst[0].reg, carry_masks<3, perm_def>(w, d, p), w.exec());
  }
  for (u32& x : r.v) x = 0;
  for (int i = 0; i < 32; i += 8) {
    const u32 s = sel >> i & 0xff;
    const u32* from = (s < 12 ? (s & 8 ? s < 10 : s < 4) : true) ? b : a;
    if (s < 8) {
      const int at = static_cast<int>(8 * (s & 3));
      for (int l = 0; l < kLanes; ++l) r.v[l] |= (from[l] >> at & 0xff) << i;
    } else if (s < 12) {
      const int at = static_cast<int>(16 * (s & 1) + 15);
      for (int l = 0; l < kLanes; ++l) r.v[l] |= (0u - (from[l] >> at & 1) & 0xff) << i;
    } else if (s > 12) {
      for (int l = 0; l < kLanes; ++l) r.v[l] |= 0xffu << i;
    }
  }
  put_lanes(w, op.dst[0].reg, r);
}

constexpr u32 select_def(Known mask, Known a, Known b) {  // bfi: (mask & a) | (~mask & b)
  return (mask.d & ((mask.v & a.d) | (~mask.v & b.d))) | (~mask.d & a.d & b.d & ~(a.v ^ b.v));
}
constexpr u32 shl_def(Known x, Known s) {
  return rule::amount_known(s) ? rule::shl_mask(x.d, s.v & 31) : 0;
}
constexpr u32 shr_def(Known x, Known s) {
  return rule::amount_known(s) ? rule::shr_mask(x.d, s.v & 31) : 0;
}
constexpr u32 sar_def(Known x, Known s) {
  return rule::amount_known(s) ? static_cast<u32>(static_cast<i32>(x.d) >> (s.v & 31)) : 0;
}
constexpr u32 bfe_def(Known x, Known o, Known n) {
  if (!rule::amount_known(o) || !rule::amount_known(n)) return 0;
  return rule::shr_mask(x.d, o.v & 31) | ~((1u << (n.v & 31)) - 1);
}
constexpr u32 bfe_signed_def(Known x, Known o, Known n) {
  if (!rule::amount_known(o) || !rule::amount_known(n)) return 0;
  return field_signed(x.d, o.v, n.v) | ((n.v & 31) ? 0u : ~0u);
}
constexpr u32 popcount(u32 x) {
  x -= x >> 1 & 0x55555555u;
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  return ((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
constexpr u32 reverse(u32 x) { return __builtin_bitreverse32(x); }
constexpr u32 lead_u(u32 x) { return x ? static_cast<u32>(std::countl_zero(x)) : ~0u; }
constexpr u32 trail(u32 x) { return x ? static_cast<u32>(std::countr_zero(x)) : ~0u; }
// Position of the first bit that differs from the sign; -1 for 0 and -1.
constexpr u32 lead_s(u32 x) { return lead_u(x ^ static_cast<u32>(static_cast<i32>(x) >> 31)); }
constexpr u32 med_u(u32 a, u32 b, u32 c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}
constexpr i32 med_i(i32 a, i32 b, i32 c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}
constexpr u32 abs_diff(u32 a, u32 b) { return a > b ? a - b : b - a; }
constexpr u32 sad_u8(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 32; i += 8) c += abs_diff(a >> i & 0xff, b >> i & 0xff);
  return c;
}
constexpr u32 sad_u16(u32 a, u32 b, u32 c) {
  return abs_diff(a & 0xffff, b & 0xffff) + abs_diff(a >> 16, b >> 16) + c;
}
// Bytes of src[1] that are zero do not count.
constexpr u32 msad_u8(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 32; i += 8) {
    if (b >> i & 0xff) c += abs_diff(a >> i & 0xff, b >> i & 0xff);
  }
  return c;
}

constexpr u32 saturate_u(i64 x) { return static_cast<u32>(std::clamp<i64>(x, 0, 0xffffffff)); }
constexpr u32 saturate_i(i64 x) {
  return static_cast<u32>(static_cast<i32>(std::clamp<i64>(x, INT32_MIN, INT32_MAX)));
}

// A u16 pair from two halves of two words.
constexpr u32 pair(u32 lo, u32 hi) { return (lo & 0xffffu) | hi << 16; }

#define OP1(E) [](u32 a) -> u32 { return E; }
#define OP2(E) [](u32 a, u32 b) -> u32 { return E; }
#define OP3(E) [](u32 a, u32 b, u32 c) -> u32 { return E; }
#define DEF1(E) [](Known a) -> u32 { return E; }
#define DEF2(E) [](Known a, Known b) -> u32 { return E; }
#define DEF3(E) [](Known a, Known b, Known c) -> u32 { return E; }
#define I(x) static_cast<i32>(x)
#define U(x) static_cast<u32>(x)

constexpr Known upward(Known a, Known b) {
  return {rule::below_lowest_undefined(a.d & b.d), a.v + b.v};
}

constexpr Row kRows[] = {
    one<OP1(a), DEF1(a.d)>("v_mov_b32", Flow::copy),
    one<OP1(~a), DEF1(a.d)>("v_not_b32", Flow::bitwise_not),
    two<OP2(a& b), rule::kAnd>("v_and_b32", Flow::bitwise_and),
    two<OP2(a | b), rule::kOr>("v_or_b32", Flow::bitwise_or),
    two<OP2(a ^ b), rule::kBitwise>("v_xor_b32", Flow::bitwise_xor),
    two<OP2(~(a ^ b)), rule::kBitwise>("v_xnor_b32", Flow::bitwise_xor),
    two_clamping<OP2(a + b), OP2(saturate_u(i64{a} + b)), rule::kAdd>("v_add_nc_u32", Flow::add),
    two_clamping<OP2(a - b), OP2(saturate_u(i64{a} - b)), rule::kAdd>("v_sub_nc_u32", Flow::add),
    two_clamping<OP2(b - a), OP2(saturate_u(i64{b} - a)), rule::kAdd>("v_subrev_nc_u32", Flow::add),
    two_clamping<OP2(a + b), OP2(saturate_i(i64{I(a)} + I(b))), rule::kAdd>("v_add_nc_i32",
                                                                            Flow::add),
    two_clamping<OP2(a - b), OP2(saturate_i(i64{I(a)} - I(b))), rule::kAdd>("v_sub_nc_i32",
                                                                            Flow::add),
    two<OP2(b << (a & 31)), DEF2(shl_def(b, a))>("v_lshlrev_b32", Flow::shift),
    two<OP2(b >> (a & 31)), DEF2(shr_def(b, a))>("v_lshrrev_b32", Flow::shift),
    two<OP2(U(I(b) >> (a & 31))), DEF2(sar_def(b, a))>("v_ashrrev_i32", Flow::shift),
    two<OP2(a* b), rule::kAdd>("v_mul_lo_u32", Flow::add),
    two<OP2(U(u64{a} * b >> 32))>("v_mul_hi_u32"),
    two<OP2(U(i64{I(a)} * I(b) >> 32))>("v_mul_hi_i32"),
    two<OP2((a & 0xffffff) * (b & 0xffffff)),
        DEF2(rule::below_lowest_undefined((a.d | 0xff000000u) & (b.d | 0xff000000u)))>(
        "v_mul_u32_u24", Flow::add),
    two<OP2(U(s24(a)) * U(s24(b))), DEF2(rule::below_lowest_undefined(U(s24(a.d)) & U(s24(b.d))))>(
        "v_mul_i32_i24", Flow::add),
    two<OP2(U(u64{a & 0xffffff} * (b & 0xffffff) >> 32))>("v_mul_hi_u32_u24"),
    two<OP2(U(i64{s24(a)} * s24(b) >> 32))>("v_mul_hi_i32_i24"),
    three<OP3((a & 0xffffff) * (b & 0xffffff) + c),
          DEF3(rule::below_lowest_undefined((a.d | 0xff000000u) & (b.d | 0xff000000u) & c.d))>(
        "v_mad_u32_u24", Flow::add),
    three<OP3(U(s24(a)) * U(s24(b)) + c),
          DEF3(rule::below_lowest_undefined(U(s24(a.d)) & U(s24(b.d)) & c.d))>("v_mad_i32_i24",
                                                                               Flow::add),
    three<OP3(a + b + c), rule::kAdd>("v_add3_u32", Flow::add),
    three<OP3((a << (b & 31)) + c), DEF3(rule::below_lowest_undefined(shl_def(a, b) & c.d))>(
        "v_lshl_add_u32", Flow::shift),
    three<OP3((a + b) << (c & 31)), DEF3(shl_def(upward(a, b), c))>("v_add_lshl_u32", Flow::shift),
    three<OP3((a << (b & 31)) | c), DEF3(rule::or_mask({shl_def(a, b), a.v << (b.v & 31)}, c))>(
        "v_lshl_or_b32", Flow::shift),
    three<OP3((a & b) | c), DEF3(rule::or_mask({rule::and_mask(a, b), a.v & b.v}, c))>(
        "v_and_or_b32", Flow::bitwise_or),
    three<OP3(a | b | c), DEF3(rule::or_mask({rule::or_mask(a, b), a.v | b.v}, c))>(
        "v_or3_b32", Flow::bitwise_or),
    three<OP3(a ^ b ^ c), rule::kBitwise>("v_xor3_b32", Flow::bitwise_xor),
    three<OP3((a ^ b) + c), rule::kAdd>("v_xad_u32", Flow::add),
    three<OP3(field(a, b, c)), bfe_def>("v_bfe_u32", Flow::shift),
    three<OP3(field_signed(a, b, c)), bfe_signed_def>("v_bfe_i32", Flow::shift),
    three<OP3((a & b) | (~a & c)), DEF3(select_def(a, b, c))>("v_bfi_b32", Flow::bitwise_or),
    two<OP2(((1u << (a & 31)) - 1) << (b & 31)), DEF2((a.d & b.d & 31) == 31 ? ~0u : 0u)>(
        "v_bfm_b32"),
    three<OP3(U((u64{a} << 32 | b) >> (c & 31))),
          DEF3(rule::amount_known(c) ? U((u64{a.d} << 32 | b.d) >> (c.v & 31)) : 0u)>(
        "v_alignbit_b32", Flow::shift),
    three<OP3(U((u64{a} << 32 | b) >> (8 * (c & 3)))),
          DEF3((c.d & 3) == 3 ? U((u64{a.d} << 32 | b.d) >> (8 * (c.v & 3))) : 0u)>(
        "v_alignbyte_b32", Flow::shift),
    {"v_perm_b32", {run_perm<Track::off>, run_perm<Track::on>}, Flow::special, "valu_int"},
    two<OP2(std::min(a, b))>("v_min_u32"),
    two<OP2(std::max(a, b))>("v_max_u32"),
    two<OP2(U(std::min(I(a), I(b))))>("v_min_i32"),
    two<OP2(U(std::max(I(a), I(b))))>("v_max_i32"),
    three<OP3(std::min(std::min(a, b), c))>("v_min3_u32"),
    three<OP3(std::max(std::max(a, b), c))>("v_max3_u32"),
    three<OP3(U(std::min(std::min(I(a), I(b)), I(c))))>("v_min3_i32"),
    three<OP3(U(std::max(std::max(I(a), I(b)), I(c))))>("v_max3_i32"),
    three<OP3(med_u(a, b, c))>("v_med3_u32"),
    three<OP3(U(med_i(I(a), I(b), I(c))))>("v_med3_i32"),
    three<OP3(std::max(std::min(a, b), c))>("v_minmax_u32"),
    three<OP3(std::min(std::max(a, b), c))>("v_maxmin_u32"),
    three<OP3(U(std::max(std::min(I(a), I(b)), I(c))))>("v_minmax_i32"),
    three<OP3(U(std::min(std::max(I(a), I(b)), I(c))))>("v_maxmin_i32"),
    three<OP3(abs_diff(a, b) + c)>("v_sad_u32"),
    three<sad_u8>("v_sad_u8"),
    three<OP3((sad_u8(a, b, 0) << 16) + c)>("v_sad_hi_u8"),
    three<sad_u16>("v_sad_u16"),
    three<msad_u8>("v_msad_u8"),
    one<OP1(reverse(a)), DEF1(reverse(a.d))>("v_bfrev_b32", Flow::special),
    one<OP1(lead_u(a))>("v_clz_i32_u32"),
    one<OP1(lead_s(a))>("v_cls_i32"),
    one<OP1(trail(a))>("v_ctz_i32_b32"),
    two<OP2(popcount(a) + b)>("v_bcnt_u32_b32"),
    // 16-bit: the other half of the destination stays.
    half<1, OP1(~a)>("v_not_b16"),
    half<2, OP2(a& b)>("v_and_b16"),
    half<2, OP2(a | b)>("v_or_b16"),
    half<2, OP2(a ^ b)>("v_xor_b16"),
    half_clamping<OP2(a + b), OP2(std::min(a + b, 0xffffu))>("v_add_nc_u16"),
    half_clamping<OP2(a - b), OP2(a > b ? a - b : 0)>("v_sub_nc_u16"),
    half_clamping<OP2(a + b), OP2(U(std::clamp(s16(a) + s16(b), -32768, 32767)))>("v_add_nc_i16"),
    half_clamping<OP2(a - b), OP2(U(std::clamp(s16(a) - s16(b), -32768, 32767)))>("v_sub_nc_i16"),
    half<2, OP2(a* b)>("v_mul_lo_u16"),
    half<3, OP3(a* b + c)>("v_mad_u16"),
    half<3, OP3(a* b + c)>("v_mad_i16"),
    half<2, OP2(b << (a & 15))>("v_lshlrev_b16"),
    half<2, OP2(b >> (a & 15))>("v_lshrrev_b16"),
    half<2, OP2(U(s16(b) >> (a & 15)))>("v_ashrrev_i16"),
    half<2, OP2(std::min(a, b))>("v_min_u16"),
    half<2, OP2(std::max(a, b))>("v_max_u16"),
    half<2, OP2(U(std::min(s16(a), s16(b))))>("v_min_i16"),
    half<2, OP2(U(std::max(s16(a), s16(b))))>("v_max_i16"),
    half<3, OP3(std::min(std::min(a, b), c))>("v_min3_u16"),
    half<3, OP3(std::max(std::max(a, b), c))>("v_max3_u16"),
    half<3, OP3(med_u(a, b, c))>("v_med3_u16"),
    half<3, OP3(U(std::min(std::min(s16(a), s16(b)), s16(c))))>("v_min3_i16"),
    half<3, OP3(U(std::max(std::max(s16(a), s16(b)), s16(c))))>("v_max3_i16"),
    half<3, OP3(U(med_i(s16(a), s16(b), s16(c))))>("v_med3_i16"),
    // 16-bit sources, 32-bit results.
    mad_wide<OP3((a & 0xffffu) * (b & 0xffffu) + c)>("v_mad_u32_u16"),
    mad_wide<OP3(U(s16(a)) * U(s16(b)) + c)>("v_mad_i32_i16"),
    one<OP1(a & 0xffffu), DEF1(a.d | 0xffff0000u)>("v_cvt_u32_u16", Flow::special),
    one<OP1(U(s16(a))), DEF1(U(s16(a.d)))>("v_cvt_i32_i16", Flow::special),
    two<OP2(pair(std::min(a, 0xffffu), std::min(b, 0xffffu)))>("v_cvt_pk_u16_u32"),
    two<OP2(pair(U(std::clamp(I(a), -32768, 32767)), U(std::clamp(I(b), -32768, 32767))))>(
        "v_cvt_pk_i16_i32"),
};

}  // namespace

std::span<const Row> valu_int_rows() { return kRows; }

}  // namespace w4::rdna
