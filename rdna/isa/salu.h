// What scalar instructions are made of: values of either width with one definedness bit each, and
// the rules by which results carry them.
#pragma once

#include <bit>
#include <type_traits>

#include "rdna/isa/lane_op.h"

namespace w4::rdna::scalar {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

// A scalar value of either width: bits and which are defined.
template <class V>
struct S {
  V v = 0, d = static_cast<V>(~V{0});
  bool known() const { return d == static_cast<V>(~V{0}); }
};
using S32 = S<u32>;
using S64 = S<u64>;

template <class V>
S<V> get(const Wave& w, const Operand& o) {
  if constexpr (sizeof(V) == 4) {
    return {read_s(w, o), read_sdef(w, o)};
  } else {
    if (o.kind == OperandKind::sgpr && o.reg == kNull) return {};
    return {read_s64(w, o), read_sdef(w, o) | u64{read_sdef(w, o, 1)} << 32};
  }
}

template <Track T>
void put_word(Wave& w, const Op& op, int reg, u32 v, u32 d) {
  if constexpr (T == Track::off) d = ~0u;
  write_s(w, reg, v, d);
  // In wave32 the high half of EXEC masks nothing.
  if constexpr (T == Track::on) {
    if (reg == kExec && d != ~0u) {
      undefined(w, op, FindingKind::undefined_exec, ~d);
      w.sdef[kExec] = ~0u;  // reported once, here
    }
  }
}
template <Track T, class V>
void put(Wave& w, const Op& op, S<V> r) {
  const int reg = op.dst[0].reg;
  put_word<T>(w, op, reg, static_cast<u32>(r.v), static_cast<u32>(r.d));
  if constexpr (sizeof(V) == 8) {
    if (reg != kNull) {
      put_word<T>(w, op, reg + 1, static_cast<u32>(r.v >> 32), static_cast<u32>(r.d >> 32));
    }
  }
}
template <Track T>
void put_scc(Wave& w, bool v, bool d) {
  w.scc = v;
  w.scc_def = T == Track::off || d;
}

template <class V>
constexpr V ones(bool b) {
  return b ? static_cast<V>(~V{0}) : V{0};
}
template <class V>
constexpr V below_lowest_undefined(V d) {
  return d & ~(d + 1);
}

// Definedness of two-source results.
namespace def {
inline constexpr auto kMix = [](auto a, auto b) {
  return ones<decltype(a.v)>(a.known() && b.known());
};
inline constexpr auto kXor = [](auto a, auto b) { return a.d & b.d; };
inline constexpr auto kAnd = [](auto a, auto b) {
  return (a.d & b.d) | (a.d & ~a.v) | (b.d & ~b.v);
};
inline constexpr auto kOr = [](auto a, auto b) { return (a.d & b.d) | (a.d & a.v) | (b.d & b.v); };
inline constexpr auto kAndNot = [](auto a, auto b) {
  return (a.d & b.d) | (a.d & ~a.v) | (b.d & b.v);
};
inline constexpr auto kOrNot = [](auto a, auto b) {
  return (a.d & b.d) | (a.d & a.v) | (b.d & ~b.v);
};
inline constexpr auto kAdd = [](auto a, auto b) { return below_lowest_undefined(a.d & b.d); };
}  // namespace def

// SCC of a result.
enum class Scc { keep, nonzero };

// SCC = (result != 0): defined when the whole result is, or when one known bit is set.
template <Track T, class V>
void scc_nonzero(Wave& w, S<V> r) {
  put_scc<T>(w, r.v != 0, r.known() || (r.d & r.v) != 0);
}

}  // namespace w4::rdna::scalar
