// Scalar instructions that decide: compares into SCC, selections by it, and the forms that save
// EXEC and narrow it.
#include "rdna/isa/salu.h"

namespace w4::rdna {
namespace {

using namespace scalar;

template <Track T, class V>
void run_cselect(Wave& w, const Op& op) {
  S<V> r = w.scc ? get<V>(w, op.src[0]) : get<V>(w, op.src[1]);
  if (!w.scc_def) r.d = 0;
  put<T>(w, op, r);
}
template <Track T, class V>
void run_cmov(Wave& w, const Op& op) {
  if (T == Track::on && !w.scc_def) {
    S<V> r = w.scc ? get<V>(w, op.src[0]) : get<V>(w, op.dst[0]);
    r.d = 0;
    put<T>(w, op, r);
  } else if (w.scc) {
    put<T>(w, op, get<V>(w, op.src[0]));
  }
}
template <Track T>
void run_movk(Wave& w, const Op& op) {
  const u32 k = op.nsrc ? op.src[0].imm : static_cast<u32>(op.imm[0]);
  put<T>(w, op, S32{static_cast<u32>(static_cast<int16_t>(k))});
}
template <Track T>
void run_cmovk(Wave& w, const Op& op) {
  if (w.scc) run_movk<T>(w, op);
  if (T == Track::on && !w.scc_def) put_word<T>(w, op, op.dst[0].reg, sgpr(w, op.dst[0].reg), 0);
}
template <Track T, class V, auto C>
void run_compare(Wave& w, const Op& op) {
  using Raw = std::conditional_t<sizeof(V) == 8, u64, u32>;
  const S<Raw> a = get<Raw>(w, op.src[0]), b = get<Raw>(w, op.src[1]);
  put_scc<T>(w, C(static_cast<V>(a.v), static_cast<V>(b.v)), a.known() && b.known());
}
// s_cmpk: the second source is a 16-bit constant, signed or unsigned by type.
template <Track T, class V, auto C>
void run_comparek(Wave& w, const Op& op) {
  const bool own = op.nsrc >= 1 && op.src[0].kind == OperandKind::sgpr;
  const Operand& s = own ? op.src[0] : op.dst[0];
  const S32 a = get<u32>(w, s);
  const Operand& last = op.src[op.nsrc ? op.nsrc - 1 : 0];
  const u32 k = last.kind == OperandKind::constant ? last.imm : static_cast<u32>(op.imm[0]);
  const V b = std::is_signed_v<V> ? static_cast<V>(static_cast<int16_t>(k))
                                  : static_cast<V>(static_cast<uint16_t>(k));
  put_scc<T>(w, C(static_cast<V>(a.v), b), a.known());
}
template <Track T, class V, bool kOne>
void run_bitcmp(Wave& w, const Op& op) {
  constexpr u32 kMask = sizeof(V) * 8 - 1;
  const S<V> a = get<V>(w, op.src[0]);
  const S32 b = get<u32>(w, op.src[1]);
  const u32 i = b.v & kMask;
  put_scc<T>(w, (a.v >> i & 1) == kOne, (a.d >> i & 1) && (b.d & kMask) == kMask);
}
// SDST = EXEC, EXEC = F(S0, EXEC), SCC = (EXEC != 0).
template <Track T, auto F, auto D, bool kSave>
void run_saveexec(Wave& w, const Op& op) {
  const S32 a = get<u32>(w, op.src[0]);
  const S32 e{w.s[kExec], T == Track::on ? w.sdef[kExec] : ~0u};
  S32 r{F(a.v, e.v)};
  if constexpr (T == Track::on) r.d = D(a, e);
  // The wrexec forms give the new mask to the destination too.
  const S32 out = kSave ? e : r;
  if (op.dst[0].reg != kExec) write_s(w, op.dst[0].reg, out.v, T == Track::on ? out.d : ~0u);
  put_word<T>(w, op, kExec, r.v, r.d);
  put_scc<T>(w, r.v != 0, r.known() || (r.d & r.v));
}
template <auto F, auto D, bool kSave = true>
constexpr Row saveexec(std::string_view m) {
  return {m,
          {run_saveexec<Track::off, F, D, kSave>, run_saveexec<Track::on, F, D, kSave>},
          Flow::special,
          "salu"};
}

#define F2(E) [](auto a, auto b) { return E; }
#define BOTH(H) {H<Track::off>, H<Track::on>}, Flow::special, "salu"
#define BOTHV(H, ...) {H<Track::off, __VA_ARGS__>, H<Track::on, __VA_ARGS__>}, Flow::special, "salu"
#define COMPARE(NAME, E)                                                 \
  Row{"s_cmp_" NAME "_i32", BOTHV(run_compare, i32, F2(E))},             \
      Row{"s_cmp_" NAME "_u32", BOTHV(run_compare, u32, F2(E))},         \
      Row{"s_cmpk_" NAME "_i32", BOTHV(run_comparek, i32, F2(E))}, Row { \
    "s_cmpk_" NAME "_u32", BOTHV(run_comparek, u32, F2(E))               \
  }
#define SAVE(NAME, E, D) \
  saveexec<[](u32 a, u32 b) -> u32 { return E; }, D>("s_" NAME "_saveexec_b32")

constexpr Row kRows[] = {
    {"s_movk_i32", BOTH(run_movk)},
    {"s_cmovk_i32", BOTH(run_cmovk)},
    {"s_cmov_b32", BOTHV(run_cmov, u32)},
    {"s_cmov_b64", BOTHV(run_cmov, u64)},
    {"s_cselect_b32", BOTHV(run_cselect, u32)},
    {"s_cselect_b64", BOTHV(run_cselect, u64)},
    COMPARE("eq", a == b),
    COMPARE("lg", a != b),
    COMPARE("gt", a > b),
    COMPARE("ge", a >= b),
    COMPARE("lt", a < b),
    COMPARE("le", a <= b),
    {"s_cmp_eq_u64", BOTHV(run_compare, u64, F2(a == b))},
    {"s_cmp_lg_u64", BOTHV(run_compare, u64, F2(a != b))},
    {"s_bitcmp0_b32", BOTHV(run_bitcmp, u32, false)},
    {"s_bitcmp1_b32", BOTHV(run_bitcmp, u32, true)},
    {"s_bitcmp0_b64", BOTHV(run_bitcmp, u64, false)},
    {"s_bitcmp1_b64", BOTHV(run_bitcmp, u64, true)},
    SAVE("and", a& b, def::kAnd),
    SAVE("or", a | b, def::kOr),
    SAVE("xor", a ^ b, def::kXor),
    SAVE("nand", ~(a& b), def::kAnd),
    SAVE("nor", ~(a | b), def::kOr),
    SAVE("xnor", ~(a ^ b), def::kXor),
    // not0 negates EXEC's partner S0, not1 negates EXEC.
    SAVE("and_not0", ~a& b, F2(def::kAndNot(b, a))),
    SAVE("and_not1", a & ~b, def::kAndNot),
    SAVE("or_not0", ~a | b, F2(def::kOrNot(b, a))),
    SAVE("or_not1", a | ~b, def::kOrNot),
    saveexec<[](u32 a, u32 b) -> u32 { return ~a & b; }, F2(def::kAndNot(b, a)), false>(
        "s_and_not0_wrexec_b32"),
    saveexec<[](u32 a, u32 b) -> u32 { return a & ~b; }, def::kAndNot, false>(
        "s_and_not1_wrexec_b32"),
};

}  // namespace

std::span<const Row> salu_flow_rows() { return kRows; }

}  // namespace w4::rdna
