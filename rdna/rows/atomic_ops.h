// The arithmetic of atomics: new value from the old one and the lane's data.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/dtypes.h"
#include "rdna/isa/float_math.h"

namespace w4::rdna {

enum class Atomic : uint8_t {
  add,
  sub,
  swap,
  cmpswap,
  smin,
  smax,
  umin,
  umax,
  band,
  bor,
  bxor,
  inc,
  dec,
  rsub,
  sub_clamp,  // not below zero
  cond_sub,   // only where that is not below zero
  masked_or,  // the value is the mask of bits to clear, the second operand what is set
  wrap,       // down by the value if that much is there, else up by the second operand
  fcmpswap,   // equal as floats
  fadd,
  fmin,
  fmax,
  pk_add_f16,
  pk_add_bf16
};

constexpr bool takes_second(Atomic a) {
  return a == Atomic::cmpswap || a == Atomic::fcmpswap || a == Atomic::masked_or ||
         a == Atomic::wrap;
}

template <Atomic A, class U>
inline U apply_atomic(U old, U data, U second) {
  using S = std::make_signed_t<U>;
  using F = std::conditional_t<sizeof(U) == 8, double, float>;
  const auto number = [](U x) { return std::bit_cast<F>(x); };
  const auto bits = [](F x) { return std::bit_cast<U>(x); };
  const auto halves = [&](DType t) {
    U r = 0;
    for (int s = 0; s < 32; s += 16) {
      const double sum =
          to_f64(t, static_cast<uint16_t>(old >> s)) + to_f64(t, static_cast<uint16_t>(data >> s));
      r |= static_cast<U>(from_f64(t, sum)) << s;
    }
    return r;
  };
  if constexpr (A == Atomic::add) return old + data;
  if constexpr (A == Atomic::sub) return old - data;
  if constexpr (A == Atomic::swap) return data;
  if constexpr (A == Atomic::cmpswap) return old == second ? data : old;
  if constexpr (A == Atomic::smin)
    return static_cast<U>(std::min(static_cast<S>(old), static_cast<S>(data)));
  if constexpr (A == Atomic::smax)
    return static_cast<U>(std::max(static_cast<S>(old), static_cast<S>(data)));
  if constexpr (A == Atomic::umin) return std::min(old, data);
  if constexpr (A == Atomic::umax) return std::max(old, data);
  if constexpr (A == Atomic::band) return old & data;
  if constexpr (A == Atomic::bor) return old | data;
  if constexpr (A == Atomic::bxor) return old ^ data;
  if constexpr (A == Atomic::inc) return old >= data ? 0 : old + 1;
  if constexpr (A == Atomic::dec) return old == 0 || old > data ? data : old - 1;
  if constexpr (A == Atomic::rsub) return data - old;
  if constexpr (A == Atomic::sub_clamp) return old >= data ? old - data : 0;
  if constexpr (A == Atomic::cond_sub) return old >= data ? old - data : old;
  if constexpr (A == Atomic::masked_or) return (old & ~data) | second;
  if constexpr (A == Atomic::wrap) return old >= data ? old - data : old + second;
  if constexpr (A == Atomic::fcmpswap) return number(old) == number(second) ? data : old;
  if constexpr (A == Atomic::fadd) return bits(number(old) + number(data));
  // IEEE minNum and maxNum: a number wins over a NaN; -0 is below +0.
  if constexpr (A == Atomic::fmin) return bits(fmath::min_num(number(old), number(data)));
  if constexpr (A == Atomic::fmax) return bits(fmath::max_num(number(old), number(data)));
  if constexpr (A == Atomic::pk_add_f16) return halves(DType::f16);
  if constexpr (A == Atomic::pk_add_bf16) return halves(DType::bf16);
}

}  // namespace w4::rdna
