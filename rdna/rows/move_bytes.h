// Bytes between memory and rows of lanes. Offsets of inactive lanes must be those of some active
// lane: every lane is read, only active ones are kept.
#pragma once

#include <immintrin.h>

#include <cstring>

#include "rdna/access.h"

namespace w4::rdna {

// t[i].v[l] = word i of the N bytes at data + off[l]; N < 4 gives zero-extended low bytes.
template <int N>
inline void gather(const uint8_t* data, const uint64_t* off, Lanes* t) {
  if constexpr (N == 16) {
    for (int l = 0; l < kLanes; l += 4) {  // 4 lanes x 4 words, transposed
      const auto load = [&](int k) {
        return _mm_loadu_ps(reinterpret_cast<const float*>(data + off[l + k]));
      };
      __m128 a = load(0), b = load(1), c = load(2), d = load(3);
      _MM_TRANSPOSE4_PS(a, b, c, d);
      _mm_store_ps(reinterpret_cast<float*>(t[0].v + l), a);
      _mm_store_ps(reinterpret_cast<float*>(t[1].v + l), b);
      _mm_store_ps(reinterpret_cast<float*>(t[2].v + l), c);
      _mm_store_ps(reinterpret_cast<float*>(t[3].v + l), d);
    }
  } else {
    constexpr int kWords = (N + 3) / 4;
    for (int l = 0; l < kLanes; ++l) {
      uint32_t b[kWords] = {};
      std::memcpy(b, data + off[l], N);
      for (int i = 0; i < kWords; ++i) t[i].v[l] = b[i];
    }
  }
}

// The N low bytes of row words, shifted right by kShift bits, to the active lanes in lane order: a
// later lane wins where two write one place.
template <int N, int kShift = 0>
inline void scatter(uint8_t* data, const uint64_t* off, const Lanes* rows, uint32_t lanes) {
  constexpr int kWords = (N + 3) / 4;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctz(m);
    uint32_t b[kWords];
    for (int i = 0; i < kWords; ++i) b[i] = rows[i].v[l] >> kShift;
    std::memcpy(data + off[l], b, N);
  }
}

inline void keep_row(Wave& w, int reg, const Lanes& t, uint32_t lanes) {
  uint32_t* d = w.v[reg].v;
  if (lanes == ~0u) {
    std::memcpy(d, t.v, sizeof t.v);
  } else {
    for (int l = 0; l < kLanes; ++l) d[l] = (lanes >> l & 1) ? t.v[l] : d[l];
  }
}

// How a loaded value goes into its register.
enum class Fit : uint8_t { words, sext8, sext16, d16_lo, d16_hi, d16_lo_sext8, d16_hi_sext8 };
constexpr bool is_high(Fit f) { return f == Fit::d16_hi || f == Fit::d16_hi_sext8; }
constexpr bool is_d16(Fit f) { return f >= Fit::d16_lo; }

// Writes N loaded bytes per lane into the register(s) at `reg`.
template <int N, Fit F>
inline void put_loaded(Wave& w, int reg, Lanes* t, uint32_t lanes) {
  if constexpr (F == Fit::words) {
    for (int i = 0; i < (N + 3) / 4; ++i) keep_row(w, reg + i, t[i], lanes);
  } else {
    const uint32_t* old = w.v[reg].v;
    for (int l = 0; l < kLanes; ++l) {
      uint32_t x = t[0].v[l];
      if constexpr (F == Fit::sext8 || F == Fit::d16_lo_sext8 || F == Fit::d16_hi_sext8) {
        x = static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(x)));
      }
      if constexpr (F == Fit::sext16)
        x = static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(x)));
      if constexpr (is_d16(F)) {
        x = is_high(F) ? (old[l] & 0xffffu) | x << 16 : (old[l] & 0xffff0000u) | (x & 0xffffu);
      }
      t[0].v[l] = x;
    }
    keep_row(w, reg, t[0], lanes);
  }
}

// Definedness of the N bytes of one load: word i, lanes whose low or high half is wholly defined.
struct LoadMasks {
  Defined word[4];
};

template <int N, Fit F>
inline void put_masks(Wave& w, int reg, const LoadMasks& m, uint32_t lanes) {
  if constexpr (F == Fit::words && N >= 4) {
    for (int i = 0; i < N / 4; ++i) write_def(w, reg + i, m.word[i], lanes);
  } else if constexpr (is_d16(F)) {
    uint32_t& d = is_high(F) ? w.dhi[reg] : w.dlo[reg];
    d = (d & ~lanes) | (m.word[0].lo & lanes);
  } else {
    // The extension is defined zeros, or copies of the sign bit.
    const bool sign = F == Fit::sext8 || F == Fit::sext16;
    write_def(w, reg, {m.word[0].lo, sign ? m.word[0].lo : ~0u}, lanes);
  }
}

}  // namespace w4::rdna
