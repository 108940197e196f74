// Scalar integer instructions, with definedness exact to the bit: known zeros of AND and known ones
// of OR win, a carry goes upward only.
#include "rdna/isa/salu.h"

namespace w4::rdna {
namespace {

using namespace scalar;

template <Track T, class V, auto F, auto D, Scc K>
void run_two(Wave& w, const Op& op) {
  const S<V> a = get<V>(w, op.src[0]), b = get<V>(w, op.src[1]);
  S<V> r{static_cast<V>(F(a.v, b.v))};
  if constexpr (T == Track::on) r.d = static_cast<V>(D(a, b));
  put<T>(w, op, r);
  if constexpr (K == Scc::nonzero) scc_nonzero<T>(w, r);
}
template <class V, auto F, auto D, Scc K>
constexpr Row two(std::string_view m, Flow flow = Flow::special) {
  return {m, {run_two<Track::off, V, F, D, K>, run_two<Track::on, V, F, D, K>}, flow, "salu"};
}

template <Track T, class V, class R, auto F, auto D, Scc K>
void run_one(Wave& w, const Op& op) {
  const S<V> a = get<V>(w, op.src[0]);
  S<R> r{static_cast<R>(F(a.v))};
  if constexpr (T == Track::on) r.d = static_cast<R>(D(a));
  put<T>(w, op, r);
  if constexpr (K == Scc::nonzero) scc_nonzero<T>(w, r);
}
template <class V, class R, auto F, auto D, Scc K>
constexpr Row one(std::string_view m, Flow flow = Flow::special) {
  return {m, {run_one<Track::off, V, R, F, D, K>, run_one<Track::on, V, R, F, D, K>}, flow, "salu"};
}

// Shifts and fields: the amount is a 32-bit source. D maps the mask like the value.
template <Track T, class V, auto F, auto D>
void run_shift(Wave& w, const Op& op) {
  constexpr u32 kBits = sizeof(V) * 8 - 1;
  const S<V> a = get<V>(w, op.src[0]);
  const S32 s = get<u32>(w, op.src[1]);
  S<V> r{static_cast<V>(F(a.v, s.v & kBits))};
  if constexpr (T == Track::on) {
    r.d = (s.d & kBits) == kBits ? static_cast<V>(D(a.d, s.v & kBits)) : V{0};
  }
  put<T>(w, op, r);
  scc_nonzero<T>(w, r);
}
template <class V, auto F, auto D>
constexpr Row shift(std::string_view m) {
  return {m, {run_shift<Track::off, V, F, D>, run_shift<Track::on, V, F, D>}, Flow::shift, "salu"};
}

// src[1]: offset in the low bits, width from bit 16.
template <Track T, class V, bool kSigned>
void run_bfe(Wave& w, const Op& op) {
  constexpr u32 kOffset = sizeof(V) * 8 - 1, kBits = sizeof(V) * 8;
  const S<V> a = get<V>(w, op.src[0]);
  const S32 c = get<u32>(w, op.src[1]);
  const u32 offset = c.v & kOffset, width = std::min(c.v >> 16 & 0x7f, kBits);
  const V mask = width == kBits ? static_cast<V>(~V{0}) : static_cast<V>((V{1} << width) - 1);
  const auto take = [&](V x) {
    // Signed fields that reach beyond the top bit are filled with the sign.
    using Signed = std::make_signed_t<V>;
    V r = kSigned ? static_cast<V>(static_cast<Signed>(x) >> offset) & mask : (x >> offset) & mask;
    if (kSigned && width && width < kBits && (r >> (width - 1) & 1)) r |= ~mask;
    return r;
  };
  S<V> r{take(a.v)};
  if constexpr (T == Track::on) {
    using Signed = std::make_signed_t<V>;
    const V undefined = static_cast<V>(~a.d);
    const V in = static_cast<V>(~(kSigned ? static_cast<V>(static_cast<Signed>(undefined) >> offset)
                                          : undefined >> offset));
    r.d = (in & mask) | static_cast<V>(~mask);
    if (kSigned && width && !(in >> (width - 1) & 1)) r.d &= mask;
    if (!c.known()) r.d = 0;
  }
  put<T>(w, op, r);
  scc_nonzero<T>(w, r);
}
template <class V, bool kSigned>
constexpr Row bfe(std::string_view m) {
  return {
      m, {run_bfe<Track::off, V, kSigned>, run_bfe<Track::on, V, kSigned>}, Flow::shift, "salu"};
}

template <Track T, class V>
void run_bfm(Wave& w, const Op& op) {
  constexpr u32 kMask = sizeof(V) * 8 - 1;
  const S32 a = get<u32>(w, op.src[0]), b = get<u32>(w, op.src[1]);
  S<V> r{static_cast<V>(((V{1} << (a.v & kMask)) - 1) << (b.v & kMask))};
  r.d = ones<V>((a.d & b.d & kMask) == kMask);
  put<T>(w, op, r);
}

// Sums with a carry or an overflow in SCC.
enum class Sum { add_u, sub_u, add_i, sub_i, addc, subb };
template <Track T, Sum K>
void run_sum(Wave& w, const Op& op) {
  constexpr bool kSub = K == Sum::sub_u || K == Sum::sub_i || K == Sum::subb;
  constexpr bool kIn = K == Sum::addc || K == Sum::subb;
  constexpr bool kOverflow = K == Sum::add_i || K == Sum::sub_i;
  const S32 a = get<u32>(w, op.src[0]), b = get<u32>(w, op.src[1]);
  const u32 in = kIn && w.scc;
  const u64 full = kSub ? u64{a.v} - b.v - in : u64{a.v} + b.v + in;
  const u32 x = static_cast<u32>(full);
  const u32 y = kSub ? ~b.v : b.v;
  const bool carry = kOverflow ? ((~(a.v ^ y) & (a.v ^ x)) >> 31) : (full >> 32 & 1);
  const u32 d = !kIn || w.scc_def ? below_lowest_undefined(a.d & b.d) : 0;
  put<T>(w, op, S32{x, d});
  put_scc<T>(w, carry, d == ~0u);
}
template <Sum K>
constexpr Row sum(std::string_view m) {
  return {m, {run_sum<Track::off, K>, run_sum<Track::on, K>}, Flow::special, "salu"};
}

// s_addk / s_mulk: the destination is the first source, a 16-bit constant the second.
template <Track T, bool kMul>
void run_k(Wave& w, const Op& op) {
  const u32 k = op.nsrc ? op.src[op.nsrc - 1].imm : static_cast<u32>(op.imm[0]);
  const u32 b = static_cast<u32>(static_cast<int16_t>(k));
  const u32 a = sgpr(w, op.dst[0].reg), ad = w.sdef[op.dst[0].reg];
  const u32 d = below_lowest_undefined(ad);
  const u32 r = kMul ? a * b : a + b;
  put<T>(w, op, S32{r, d});
  if constexpr (!kMul) put_scc<T>(w, (~(a ^ b) & (a ^ r)) >> 31, d == ~0u);
}

template <Track T, u32 kN>
void run_lshl_add(Wave& w, const Op& op) {
  const S32 a = get<u32>(w, op.src[0]), b = get<u32>(w, op.src[1]);
  const u64 full = (u64{a.v} << kN) + b.v;
  const u32 d = below_lowest_undefined(rule::shl_mask(a.d, kN) & b.d);
  put<T>(w, op, S32{static_cast<u32>(full), d});
  put_scc<T>(w, full >> 32, d == ~0u && a.known());
}

template <Track T, class V, bool kMax>
void run_minmax(Wave& w, const Op& op) {
  const S32 a = get<u32>(w, op.src[0]), b = get<u32>(w, op.src[1]);
  const V x = static_cast<V>(a.v), y = static_cast<V>(b.v);
  const bool first = kMax ? x > y : x < y;
  const bool d = a.known() && b.known();
  put<T>(w, op, S32{first ? a.v : b.v, ones<u32>(d)});
  put_scc<T>(w, kMax ? x >= y : x < y, d);
}

template <Track T>
void run_abs(Wave& w, const Op& op) {
  const S32 a = get<u32>(w, op.src[0]);
  const S32 r{static_cast<i32>(a.v) < 0 ? 0u - a.v : a.v, ones<u32>(a.known())};
  put<T>(w, op, r);
  scc_nonzero<T>(w, r);
}
template <Track T>
void run_absdiff(Wave& w, const Op& op) {
  const S32 a = get<u32>(w, op.src[0]), b = get<u32>(w, op.src[1]);
  const u32 x = a.v - b.v;
  const S32 r{static_cast<i32>(x) < 0 ? 0u - x : x, ones<u32>(a.known() && b.known())};
  put<T>(w, op, r);
  scc_nonzero<T>(w, r);
}

template <Track T, class V, bool kOne>
void run_bitset(Wave& w, const Op& op) {
  constexpr u32 kMask = sizeof(V) * 8 - 1;
  S<V> r = get<V>(w, op.dst[0]);
  const S32 b = get<u32>(w, op.src[0]);
  const V bit = V{1} << (b.v & kMask);
  r.v = kOne ? r.v | bit : r.v & static_cast<V>(~bit);
  r.d |= bit;
  if ((b.d & kMask) != kMask) r.d = 0;
  put<T>(w, op, r);
}

#define F1(E) [](auto a) { return E; }
#define F2(E) [](auto a, auto b) { return E; }
#define BOTH(H) {H<Track::off>, H<Track::on>}, Flow::special, "salu"
#define BOTHV(H, ...) {H<Track::off, __VA_ARGS__>, H<Track::on, __VA_ARGS__>}, Flow::special, "salu"
#define LOGIC(NAME, E, D)                                  \
  two<u32, F2(E), def::D, Scc::nonzero>("s_" NAME "_b32"), \
      two<u64, F2(E), def::D, Scc::nonzero>("s_" NAME "_b64")

constexpr auto kKnown1 = [](auto a) { return ones<decltype(a.v)>(a.known()); };
constexpr auto kWord1 = [](auto a) { return a.known() ? ~0u : 0u; };
constexpr u32 low16(u32 x) { return x & 0xffffu; }
template <class V>
constexpr u32 trail(V x) {
  return x ? static_cast<u32>(std::countr_zero(x)) : ~0u;
}
template <class V>
constexpr u32 lead(V x) {
  return x ? static_cast<u32>(std::countl_zero(x)) : ~0u;
}
template <class V>
constexpr V differs_from_sign(V x) {
  using Signed = std::make_signed_t<V>;
  return x ^ static_cast<V>(static_cast<Signed>(x) >> (sizeof(V) * 8 - 1));
}
template <class V>
constexpr V sar(V x, u32 s) {
  return static_cast<V>(static_cast<std::make_signed_t<V>>(x) >> s);
}

// Every bit doubled.
constexpr u64 replicate(u32 x) {
  u64 r = 0;
  for (int i = 0; i < 32; ++i) r |= u64{x >> i & 1} * 3 << (2 * i);
  return r;
}
// One bit for each group of four: any of them is set. A known set bit decides its group.
template <class V>
constexpr V any_of_quad(V x) {
  V r = 0;
  for (size_t i = 0; i < sizeof(V) * 2; ++i) r |= static_cast<V>((x >> (4 * i) & 15) != 0) << i;
  return r;
}
template <class V>
constexpr V spread_quads(V x) {
  V r = 0;
  for (size_t i = 0; i < sizeof(V) * 2; ++i) r |= (x >> i & 1) * V{15} << (4 * i);
  return r;
}
constexpr auto kQuadDef = [](auto a) {
  using V = decltype(a.v);
  const V unknown = any_of_quad(static_cast<V>(~a.d)), set = any_of_quad(static_cast<V>(a.v & a.d));
  return static_cast<V>(~unknown | set);
};

// The scalar register M0 above the one named; M0 must be known.
template <Track T, class V, bool kDst>
void run_movrel(Wave& w, const Op& op) {
  if (T == Track::on && w.sdef[kM0] != ~0u) {
    undefined(w, op, FindingKind::undefined_address, 0);
    if (w.state != WaveState::ready) return;
  }
  Op moved = op;
  Operand& o = kDst ? moved.dst[0] : moved.src[0];
  const u64 reg = u64{o.reg} + w.s[kM0];
  if (o.kind != OperandKind::sgpr || reg + sizeof(V) / 4 > kVcc)
    return unsupported(w, op, "a relative SGPR that does not exist");
  o.reg = static_cast<uint16_t>(reg);
  put<T>(w, moved, get<V>(w, moved.src[0]));
}

constexpr Row kRows[] = {
    {"s_movrels_b32", BOTHV(run_movrel, u32, false)},
    {"s_movrels_b64", BOTHV(run_movrel, u64, false)},
    {"s_movreld_b32", BOTHV(run_movrel, u32, true)},
    {"s_movreld_b64", BOTHV(run_movrel, u64, true)},
    one<u32, u32, F1(any_of_quad(a)), kQuadDef, Scc::nonzero>("s_quadmask_b32"),
    one<u64, u64, F1(any_of_quad(a)), kQuadDef, Scc::nonzero>("s_quadmask_b64"),
    one<u32, u32, F1(spread_quads(any_of_quad(a))), F1(spread_quads(kQuadDef(a))), Scc::nonzero>(
        "s_wqm_b32"),
    one<u64, u64, F1(spread_quads(any_of_quad(a))), F1(spread_quads(kQuadDef(a))), Scc::nonzero>(
        "s_wqm_b64"),
    one<u32, u64, F1(replicate(a)), F1(replicate(a.d)), Scc::keep>("s_bitreplicate_b64_b32"),
    one<u32, u32, F1(a), F1(a.d), Scc::keep>("s_mov_b32", Flow::copy),
    one<u64, u64, F1(a), F1(a.d), Scc::keep>("s_mov_b64", Flow::copy),
    one<u32, u32, F1(~a), F1(a.d), Scc::nonzero>("s_not_b32"),
    one<u64, u64, F1(~a), F1(a.d), Scc::nonzero>("s_not_b64"),
    LOGIC("and", a& b, kAnd),
    LOGIC("or", a | b, kOr),
    LOGIC("xor", a ^ b, kXor),
    LOGIC("nand", ~(a& b), kAnd),
    LOGIC("nor", ~(a | b), kOr),
    LOGIC("xnor", ~(a ^ b), kXor),
    LOGIC("and_not1", a & ~b, kAndNot),
    LOGIC("or_not1", a | ~b, kOrNot),
    sum<Sum::add_u>("s_add_u32"),
    sum<Sum::sub_u>("s_sub_u32"),
    sum<Sum::add_i>("s_add_i32"),
    sum<Sum::sub_i>("s_sub_i32"),
    sum<Sum::addc>("s_addc_u32"),
    sum<Sum::subb>("s_subb_u32"),
    sum<Sum::add_u>("s_add_co_u32"),
    sum<Sum::sub_u>("s_sub_co_u32"),
    sum<Sum::add_i>("s_add_co_i32"),
    sum<Sum::sub_i>("s_sub_co_i32"),
    sum<Sum::addc>("s_add_co_ci_u32"),
    sum<Sum::subb>("s_sub_co_ci_u32"),
    {"s_addk_i32", BOTHV(run_k, false)},
    {"s_addk_co_i32", BOTHV(run_k, false)},
    {"s_mulk_i32", BOTHV(run_k, true)},
    two<u64, F2(a + b), def::kAdd, Scc::keep>("s_add_nc_u64", Flow::add),
    two<u64, F2(a - b), def::kAdd, Scc::keep>("s_sub_nc_u64", Flow::add),
    two<u64, F2(a* b), def::kAdd, Scc::keep>("s_mul_u64", Flow::add),
    two<u32, F2(a* b), def::kAdd, Scc::keep>("s_mul_i32", Flow::add),
    two<u32, F2(u64{a} * b >> 32), def::kMix, Scc::keep>("s_mul_hi_u32"),
    two<u32, F2(static_cast<u32>(i64{static_cast<i32>(a)} * static_cast<i32>(b) >> 32)), def::kMix,
        Scc::keep>("s_mul_hi_i32"),
    shift<u32, F2(a << b), F2(~(~a << b))>("s_lshl_b32"),
    shift<u64, F2(a << b), F2(~(~a << b))>("s_lshl_b64"),
    shift<u32, F2(a >> b), F2(~(~a >> b))>("s_lshr_b32"),
    shift<u64, F2(a >> b), F2(~(~a >> b))>("s_lshr_b64"),
    shift<u32, F2(sar(a, b)), F2(sar(a, b))>("s_ashr_i32"),
    shift<u64, F2(sar(a, b)), F2(sar(a, b))>("s_ashr_i64"),
    bfe<u32, false>("s_bfe_u32"),
    bfe<u32, true>("s_bfe_i32"),
    bfe<u64, false>("s_bfe_u64"),
    bfe<u64, true>("s_bfe_i64"),
    {"s_bfm_b32", BOTHV(run_bfm, u32)},
    {"s_bfm_b64", BOTHV(run_bfm, u64)},
    {"s_lshl1_add_u32", BOTHV(run_lshl_add, 1)},
    {"s_lshl2_add_u32", BOTHV(run_lshl_add, 2)},
    {"s_lshl3_add_u32", BOTHV(run_lshl_add, 3)},
    {"s_lshl4_add_u32", BOTHV(run_lshl_add, 4)},
    {"s_min_i32", BOTHV(run_minmax, i32, false)},
    {"s_min_u32", BOTHV(run_minmax, u32, false)},
    {"s_max_i32", BOTHV(run_minmax, i32, true)},
    {"s_max_u32", BOTHV(run_minmax, u32, true)},
    {"s_abs_i32", BOTH(run_abs)},
    {"s_absdiff_i32", BOTH(run_absdiff)},
    {"s_bitset0_b32", BOTHV(run_bitset, u32, false)},
    {"s_bitset1_b32", BOTHV(run_bitset, u32, true)},
    {"s_bitset0_b64", BOTHV(run_bitset, u64, false)},
    {"s_bitset1_b64", BOTHV(run_bitset, u64, true)},
    one<u32, u32, F1(sar(a << 24, 24)), F1(sar(a.d << 24, 24)), Scc::keep>("s_sext_i32_i8"),
    one<u32, u32, F1(sar(a << 16, 16)), F1(sar(a.d << 16, 16)), Scc::keep>("s_sext_i32_i16"),
    one<u32, u32, F1(trail(a)), kKnown1, Scc::keep>("s_ctz_i32_b32"),
    one<u64, u32, F1(trail(a)), kWord1, Scc::keep>("s_ctz_i32_b64"),
    one<u32, u32, F1(lead(a)), kKnown1, Scc::keep>("s_clz_i32_u32"),
    one<u64, u32, F1(lead(a)), kWord1, Scc::keep>("s_clz_i32_u64"),
    one<u32, u32, F1(lead(differs_from_sign(a))), kKnown1, Scc::keep>("s_cls_i32"),
    one<u64, u32, F1(lead(differs_from_sign(a))), kWord1, Scc::keep>("s_cls_i32_i64"),
    one<u32, u32, F1(std::popcount(a)), kKnown1, Scc::nonzero>("s_bcnt1_i32_b32"),
    one<u64, u32, F1(std::popcount(a)), kWord1, Scc::nonzero>("s_bcnt1_i32_b64"),
    one<u32, u32, F1(std::popcount(~a)), kKnown1, Scc::nonzero>("s_bcnt0_i32_b32"),
    one<u64, u32, F1(std::popcount(~a)), kWord1, Scc::nonzero>("s_bcnt0_i32_b64"),
    one<u32, u32, F1(__builtin_bitreverse32(a)), F1(__builtin_bitreverse32(a.d)), Scc::keep>(
        "s_brev_b32"),
    one<u64, u64, F1(__builtin_bitreverse64(a)), F1(__builtin_bitreverse64(a.d)), Scc::keep>(
        "s_brev_b64"),
    two<u32, F2(low16(a) | b << 16), F2(low16(a.d) | b.d << 16), Scc::keep>("s_pack_ll_b32_b16"),
    two<u32, F2(low16(a) | (b & ~0xffffu)), F2(low16(a.d) | (b.d & ~0xffffu)), Scc::keep>(
        "s_pack_lh_b32_b16"),
    two<u32, F2(a >> 16 | (b & ~0xffffu)), F2(a.d >> 16 | (b.d & ~0xffffu)), Scc::keep>(
        "s_pack_hh_b32_b16"),
    two<u32, F2(a >> 16 | b << 16), F2(a.d >> 16 | b.d << 16), Scc::keep>("s_pack_hl_b32_b16"),
};

}  // namespace

std::span<const Row> salu_rows() { return kRows; }

}  // namespace w4::rdna
