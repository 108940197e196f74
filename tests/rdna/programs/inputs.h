// Inputs of the programs: edges first, then random values of every magnitude, from a fixed seed.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "tests/rdna/programs/program.h"

namespace w4::rdna::programs {

// Integers: edges, then uniform bits shifted right by a random amount.
template <class T>
std::vector<T> ints(u64 seed, size_t n = kN) {
  std::mt19937_64 random(seed);
  const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  const T edges[] = {0,
                     1,
                     2,
                     3,
                     static_cast<T>(-1),
                     static_cast<T>(-2),
                     low,
                     high,
                     static_cast<T>(low + 1),
                     static_cast<T>(high - 1),
                     static_cast<T>(high / 2)};
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) {
    // Edges meet edges: the seed moves them, so two inputs run through many pairs.
    const u64 r = random();
    v[i] = i % 3 == 0 ? edges[(i / 3 * (seed * 2 + 1) + i / 33) % std::size(edges)]
                      : static_cast<T>(static_cast<T>(r) >> (random() % (8 * sizeof(T))));
  }
  return v;
}
template <class T>
std::vector<T> nonzero(u64 seed, size_t n = kN) {
  std::vector<T> v = ints<T>(seed, n);
  for (T& x : v) x = x == 0 ? T{7} : x;
  return v;
}
template <class T>
std::vector<T> below(u64 seed, u64 limit, size_t n = kN) {
  std::mt19937_64 random(seed);
  std::vector<T> v(n);
  for (T& x : v) x = static_cast<T>(random() % limit);
  return v;
}

// Floating point: edges (signed zeros, infinities, a quiet NaN, denormals, limits), then random
// bits (signalling NaNs made quiet), then moderate values.
template <class T, class Bits>
std::vector<T> reals(u64 seed, size_t n = kN) {
  using L = std::numeric_limits<T>;
  std::mt19937_64 random(seed);
  const T edges[] = {T(0),          T(-0.0),        T(1),           T(-1),
                     L::infinity(), -L::infinity(), L::max(),       L::lowest(),
                     L::min(),      -L::min(),      L::quiet_NaN(), L::denorm_min(),
                     L::epsilon(),  T(0.5),         T(-2.5),        T(3)};
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) {
    const Bits bits = static_cast<Bits>(random());
    if (i % 3 == 0) {
      v[i] = edges[(i / 3 * (seed * 2 + 1) + i / 48) % std::size(edges)];
    } else if (i % 3 == 1) {
      std::memcpy(&v[i], &bits, sizeof bits);
      if (v[i] != v[i]) v[i] = L::quiet_NaN();
    } else {
      v[i] =
          static_cast<T>(static_cast<double>(static_cast<i32>(random() % 2000001) - 1000000) / 977);
    }
  }
  return v;
}
inline std::vector<float> floats(u64 seed, size_t n = kN) { return reals<float, u32>(seed, n); }
inline std::vector<double> doubles(u64 seed, size_t n = kN) { return reals<double, u64>(seed, n); }
// numeric_limits knows no _Float16: drawn from floats that cover its range, denormals and beyond.
inline std::vector<f16> halves(u64 seed, size_t n = kN) {
  std::mt19937_64 random(seed);
  const u16 edges[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7bff, 0xfbff,
                       0x0400, 0x8400, 0x7e00, 0x0001, 0x03ff, 0x3800, 0xc100, 0x4200};
  std::vector<f16> v(n);
  for (size_t i = 0; i < n; ++i) {
    u16 b = static_cast<u16>(random());
    if (i % 3 == 0) b = edges[(i / 3 * (seed * 2 + 1) + i / 48) % std::size(edges)];
    if (i % 3 == 2) b = static_cast<u16>((b & 0x8fff) | 0x3000);
    v[i] = std::bit_cast<f16>(b);
    if (v[i] != v[i]) v[i] = std::bit_cast<f16>(u16{0x7e00});
  }
  return v;
}
// Uniform in [low, high].
template <class T>
std::vector<T> between(u64 seed, double low, double high, size_t n = kN) {
  std::mt19937_64 random(seed);
  std::vector<T> v(n);
  for (T& x : v)
    x = static_cast<T>(low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53);
  return v;
}

}  // namespace w4::rdna::programs
