// Checks `ldsrace` and `uninit` in LDS, over the shadow of workgroup.h. A race: two waves, one
// entry, at least one write, no barrier between. The loops compare whole vectors of entries; the
// rare lane that fails is looked at again to say who the other wave is.
#pragma once

#include "rdna/rows/move_bytes.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

// Every active lane inside the LDS of this launch? Otherwise a finding, and false.
bool lds_in_bounds(Wave& w, const Op& op, const uint64_t* a, uint64_t n, uint32_t lanes);

// Reports the race of `lane` at byte address a, if there is one.
enum class LdsUse : uint8_t { read, write, atomic };
bool report_lds_race(Wave& w, const Op& op, int lane, uint64_t a, uint64_t n, LdsUse use);

// Entries are per 2 bytes until an access needs single bytes.
inline void lds_granularity(Lds& lds, const uint64_t* a, int n, uint32_t lanes) {
  if (lds.shift == 0) return;
  bool odd = n == 1;
  for (uint32_t m = lanes; m && !odd; m &= m - 1) odd = a[__builtin_ctz(m)] & 1;
  if (odd) [[unlikely]]
    lds.to_bytes();
}

// What the reads of one instruction met: any race, any undefined value. Kept as vectors of lanes of
// the shadow, so that the loop over the wave has no branch.
struct ReadSums {
  __m256i bad = _mm256_setzero_si256(), undefined = _mm256_setzero_si256();
  int32_t bad_rest = 0, undefined_rest = 0;
  bool any_bad() const { return bad_rest != 0 || !_mm256_testz_si256(bad, bad); }
  bool any_undefined() const {
    return undefined_rest != 0 || !_mm256_testz_si256(undefined, undefined);
  }
};

struct Stamps {
  uint32_t me, many;
  int32_t since,
      first;  // entries below `since` are before the barrier, below `first` never written
};

// Looks at C entries and stamps their readers.
template <int C>
inline void touch_read(const uint32_t* writer, uint32_t* reader, const Stamps& s, ReadSums& sums) {
  if constexpr (C == 8) {
    const __m256i me = _mm256_set1_epi32(static_cast<int32_t>(s.me));
    const __m256i before = _mm256_set1_epi32(s.since - 1), first = _mm256_set1_epi32(s.first);
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(writer));
    const __m256i y = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(reader));
    const __m256i low = _mm256_set1_epi32(1);
    const __m256i mine = _mm256_cmpeq_epi32(_mm256_andnot_si256(low, x), me);
    sums.bad = _mm256_or_si256(sums.bad, _mm256_andnot_si256(mine, _mm256_cmpgt_epi32(x, before)));
    sums.undefined = _mm256_or_si256(
        sums.undefined, _mm256_or_si256(_mm256_and_si256(x, low), _mm256_cmpgt_epi32(first, x)));
    // Read since the barrier by another wave: several readers now.
    const __m256i shared =
        _mm256_andnot_si256(_mm256_cmpeq_epi32(y, me), _mm256_cmpgt_epi32(y, before));
    const __m256i many = _mm256_set1_epi32(static_cast<int32_t>(s.many));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(reader), _mm256_blendv_epi8(me, many, shared));
  } else {
    for (int k = 0; k < C; ++k) {
      const uint32_t x = writer[k], y = reader[k];
      sums.bad_rest |=
          static_cast<int32_t>(static_cast<int32_t>(x) >= s.since && (x & ~1u) != s.me);
      sums.undefined_rest |=
          static_cast<int32_t>((x & 1) != 0 || static_cast<int32_t>(x) < s.first);
      reader[k] = (static_cast<int32_t>(y) < s.since || y == s.me) ? s.me : s.many;
    }
  }
}

template <int C>
inline bool touch_write(uint32_t* writer, const uint32_t* reader, int32_t since, uint32_t me) {
  int32_t bad = 0;
  for (int k = 0; k < C; ++k) {
    const uint32_t x = writer[k], y = reader[k];
    bad |= -static_cast<int32_t>((static_cast<int32_t>(x) >= since) & ((x & ~1u) != me));
    bad |= -static_cast<int32_t>((static_cast<int32_t>(y) >= since) & (y != me));
  }
  return bad != 0;
}

// The shadow part of a load of N bytes a lane. Definedness comes back in `out`. False: a race.
template <Track T, int N>
bool lds_note_read(Wave& w, const Op& op, const uint64_t* a, uint32_t lanes, LoadMasks& out) {
  Lds& lds = w.group->lds;
  lds_granularity(lds, a, N, lanes);
  const Stamps stamps{lds.stamp(w.id), lds.epoch << 7 | Lds::kMany << 1,
                      static_cast<int32_t>(lds.epoch << 7),
                      static_cast<int32_t>(lds.first_epoch << 7)};
  ReadSums sums;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const size_t i = a[__builtin_ctz(m)] >> lds.shift;
    if (lds.shift == 0) [[unlikely]] {
      touch_read<N>(&lds.writer[i], &lds.reader[i], stamps, sums);
    } else {
      touch_read<(N + 1) / 2>(&lds.writer[i], &lds.reader[i], stamps, sums);
    }
  }
  if (sums.any_bad() && w.group->checks_on(kLdsRace)) [[unlikely]] {
    for (uint32_t m = lanes; m; m &= m - 1) {
      const int l = __builtin_ctz(m);
      if (report_lds_race(w, op, l, a[l], N, LdsUse::read)) return false;
    }
  }
  if constexpr (T == Track::on) {
    if (sums.any_undefined()) [[unlikely]] {
      for (uint32_t m = lanes; m; m &= m - 1) {
        const int l = __builtin_ctz(m);
        for (uint64_t b = 0; b < N; ++b) {
          const uint32_t x = lds.writer[(a[l] + b) >> lds.shift];
          if (!(x & 1) && static_cast<int32_t>(x) >= stamps.first) continue;
          Defined& d = out.word[b / 4];
          (b % 4 < 2 ? d.lo : d.hi) &= ~(1u << l);
        }
      }
    }
  }
  return true;
}

// The shadow part of a store. `undefined_lo/hi[i]`: lanes whose halves of word i are undefined.
template <int N>
bool lds_note_write(Wave& w, const Op& op, const uint64_t* a, uint32_t lanes, const Defined* words,
                    bool all_defined) {
  Lds& lds = w.group->lds;
  lds_granularity(lds, a, N, lanes);
  const uint32_t me = lds.stamp(w.id);
  const int32_t since = static_cast<int32_t>(lds.epoch << 7);
  const bool race = w.group->checks_on(kLdsRace);
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctz(m);
    const size_t i = a[l] >> lds.shift;
    bool bad;
    if (lds.shift == 0) [[unlikely]] {
      bad = touch_write<N>(&lds.writer[i], &lds.reader[i], since, me);
    } else {
      bad = touch_write<(N + 1) / 2>(&lds.writer[i], &lds.reader[i], since, me);
    }
    if (bad && race) [[unlikely]] {
      report_lds_race(w, op, l, a[l], N, LdsUse::write);
      return false;
    }
    if (all_defined && lds.shift == 1) [[likely]] {
      for (int k = 0; k < (N + 1) / 2; ++k) lds.writer[i + static_cast<size_t>(k)] = me;
    } else {
      for (uint64_t b = 0; b < N; ++b) {
        const Defined d = all_defined ? Defined{} : words[b / 4];
        const uint32_t known = (b % 4 < 2 ? d.lo : d.hi) >> l & 1;
        lds.writer[(a[l] + b) >> lds.shift] = me | (known ^ 1u);
      }
    }
  }
  return true;
}

}  // namespace w4::rdna
