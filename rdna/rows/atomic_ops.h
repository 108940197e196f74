// The arithmetic of atomics: new value from the old one and the lane's data.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/dtypes.h"

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
  fadd,
  fmin,
  fmax,
  pk_add_f16,
  pk_add_bf16
};

template <Atomic A, class U>
inline U apply_atomic(U old, U data, U compare) {
  using S = std::make_signed_t<U>;
  const auto f32 = [](U x) { return std::bit_cast<float>(static_cast<uint32_t>(x)); };
  const auto bits = [](float x) { return static_cast<U>(std::bit_cast<uint32_t>(x)); };
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
  if constexpr (A == Atomic::cmpswap) return old == compare ? data : old;
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
  if constexpr (A == Atomic::fadd) return bits(f32(old) + f32(data));
  // IEEE minNum and maxNum: a number wins over a NaN.
  if constexpr (A == Atomic::fmin) return bits(__builtin_fminf(f32(old), f32(data)));
  if constexpr (A == Atomic::fmax) return bits(__builtin_fmaxf(f32(old), f32(data)));
  if constexpr (A == Atomic::pk_add_f16) return halves(DType::f16);
  if constexpr (A == Atomic::pk_add_bf16) return halves(DType::bf16);
}

}  // namespace w4::rdna
