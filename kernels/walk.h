// The walk along K that skinny W4A16 kernels share (contract.md 6.4, 6.6 "Chunked", 6.10, 6.11):
//   sum[m,n] = sum_k act[m,k] * (wei[n,k] - z[n,k div G]) * scale[n,k div G]
// A wave makes Y rows n x all M at a time; its 32 lanes split K in chunks of A (8, 16 or 32), U of
// them in flight. Activations come from an LDS array, whose rows are gathered by a functor; sums
// leave through another.
//
// Two forms. Resident: K*M fits the array and is staged once. Chunked: K goes through the array in
// pieces of `chunk` elements (walk_args.h), refilled between two barriers for every row tile.
// Both take every N: rows past it are read as row N - 1 and not stored.
//
// The array, piece-major: the A/8 pieces of 8 elements of lane i lie at slots p*L + i of their step
// of 32 A elements, so that the lanes of a load read consecutive 16 bytes. L is 32, in the last
// step of a row the number of lanes that have a chunk: rows need no padding.
//
// Order of summation, per lane: k ascending, whatever U, Y, the form and the length of the pieces
// are; only A changes it.
#pragma once

#include "kernels/device.h"
#include "kernels/piece.h"

namespace w4::device {

// What is read besides activations. Rows are addressed with 64 bits, within a row with 32.
template <class T>
struct WalkOperands {
  const uint8_t* wei;    // [N,K/2] bytes, shuffled
  const T* scale;        // [N,K/G]
  const uint32_t* zp;    // packed, [N/8,K/G]; not read where symmetric
  int64_t wei_stride;    // bytes
  int64_t scale_stride;  // elements, of scales and of zero points
  uint32_t n, k;
};

// The rows of a block: waves 0 .. waves-1 take Y each from `first`, then all go on by `step`.
struct WalkRows {
  uint64_t first;
  uint32_t step, waves;
};

// `count` words of 8 codes.
template <int count>
struct WordsOf;
template <>
struct WordsOf<1> {
  using Type = uint32_t;
  W4_DEVICE static uint32_t at(Type words, int) { return words; }
};
template <>
struct WordsOf<2> {
  using Type = Words2;
  W4_DEVICE static uint32_t at(Type words, int i) { return words[i]; }
};
template <>
struct WordsOf<4> {
  using Type = Words4;
  W4_DEVICE static uint32_t at(Type words, int i) { return words[i]; }
};

// Copies elements k0 .. k0+length-1 of M rows to the array, row m from m*pitch on. The `threads`
// callers share the work; barriers are theirs to place. Rows: piece(m, k) gives elements k .. k+7
// of row m, k in whole pieces; skip(m): that row is not read, and what the array holds of it stays.
// On input: length and pitch in whole chunks.
template <int M, int A, class T, class Rows>
W4_DEVICE void stage_rows(const Rows& rows, uint32_t k0, uint32_t length, uint32_t pitch, T* lds,
                          uint32_t thread, uint32_t threads) {
  const uint32_t chunks = length / A;
#pragma nounroll
  for (uint32_t c = thread; c < chunks; c += threads) {
    const uint32_t step_at = c / kLanes * kLanes;  // first chunk of its step
    const uint32_t left = chunks - step_at;
    const uint32_t lanes = left < kLanes ? left : kLanes;
    T* const to = lds + step_at * A + (c - step_at) * kPiece;
#pragma unroll
    for (int m = 0; m < M; m++) {
      if (rows.skip(m)) continue;
#pragma unroll
      for (int p = 0; p < A / kPiece; p++) {
        *reinterpret_cast<Words4*>(to + pitch * m + p * lanes * kPiece) =
            rows.piece(m, k0 + c * A + p * kPiece);
      }
    }
  }
}

// Y rows of one wave: their sums, from the first piece of K to the last. On input: `first` is a
// multiple of Y; N is one of 8 where zero points are packed. So Y rows share a word of 8 zero
// points.
template <class T, int M, int Y, int U, int A, int G, Zp zp>
class RowTile {
 public:
  static constexpr uint32_t kStep = kLanes * A;
  static_assert(8 % Y == 0);

  W4_DEVICE RowTile(const WalkOperands<T>& o, uint32_t first)
      : first_(first),
        n_(o.n),
        zero_(o.zp + (first < o.n ? first : o.n - 1) / 8 * o.scale_stride),
        zero_shift_(4 * (first % 8)) {
#pragma unroll
    for (int y = 0; y < Y; y++) {
      const uint32_t n = first + y < o.n ? first + y : o.n - 1;
      wei_[y] = o.wei + n * o.wei_stride;
      scale_[y] = o.scale + n * o.scale_stride;
#pragma unroll
      for (int m = 0; m < M; m++) sum_[m][y] = 0.0f;
    }
  }

  // Adds elements k0 .. k0+length-1, which the array holds with this pitch.
  W4_DEVICE void walk(const T* lds, uint32_t pitch, uint32_t k0, uint32_t length) {
    uint32_t at = 0;
    if constexpr (M == 3 && U >= 4) {
      // Checked throughout, as the public kernel has it (contract.md 6.6).
#pragma nounroll
      for (; at < length; at += kStep * U) step<U, true>(lds + at, pitch, k0 + at, length - at);
    } else {
#pragma nounroll
      for (; at + kStep * U <= length; at += kStep * U) {
        step<U, false>(lds + at, pitch, k0 + at, length - at);
      }
#pragma nounroll
      for (; at < length; at += kStep) step<1, true>(lds + at, pitch, k0 + at, length - at);
    }
  }

  // Store: store(m, n, sum), called by one lane for every n < N.
  template <class Store>
  W4_DEVICE void store(const Store& store) {
#pragma unroll
    for (int m = 0; m < M; m++) {
#pragma unroll
      for (int y = 0; y < Y; y++) sum_[m][y] = wave_sum(sum_[m][y]);
    }
    if (lane() != kLanes - 1) return;
#pragma unroll
    for (int y = 0; y < Y; y++) {
      if (first_ + y >= n_) return;
#pragma unroll
      for (int m = 0; m < M; m++) store(m, first_ + y, sum_[m][y]);
    }
  }

 private:
  using Words = WordsOf<A / kPiece>;

  // `count` chunks per lane from k0, of which `left` elements are there. Checked: a lane without a
  // chunk skips it; chunks are never partial.
  template <int count, bool checked>
  W4_DEVICE void step(const T* lds, uint32_t pitch, uint32_t k0, uint32_t left) {
    static_assert(kStep % G == 0 && G % A == 0);
    const uint32_t k = k0 + A * lane();  // of u = 0
    const uint32_t g = k / G;
    typename Words::Type words[count][Y] = {};
    float scale[count][Y] = {};
    FoldedZero<T, zp> zero[count][Y] = {};
    // All loads of the step first, so that they are under way together.
#pragma unroll
    for (int u = 0; u < count; u++) {
      if (checked && A * lane() + kStep * u >= left) continue;
      const uint32_t zeros = zero_points(g + kStep / G * u);
#pragma unroll
      for (int y = 0; y < Y; y++) {
        words[u][y] = load_once<typename Words::Type, 4>(wei_[y] + k / 2 + kStep / 2 * u);
        scale[u][y] = to_float(scale_[y][g + kStep / G * u]);
        zero[u][y] = FoldedZero<T, zp>((zeros >> (zero_shift_ + 4 * y)) & 15u);
      }
    }
#pragma unroll
    for (int u = 0; u < count; u++) {
      if (checked && A * lane() + kStep * u >= left) continue;
      uint32_t lanes = kLanes;
      if (checked && left < kStep * (u + 1)) lanes = (left - kStep * u) / A;
      chunk(lds + kStep * u + lane() * kPiece, pitch, lanes, words[u], scale[u], zero[u]);
    }
  }

  // Eight rows' zero points in group g.
  W4_DEVICE uint32_t zero_points(uint32_t g) const {
    if constexpr (zp == Zp::packed) return zero_[g];
    return 0x88888888u;
  }

  // A lane's chunk; act: its first piece in row 0 of the array.
  W4_DEVICE void chunk(const T* act, uint32_t pitch, uint32_t lanes,
                       const typename Words::Type (&words)[Y], const float (&scale)[Y],
                       const FoldedZero<T, zp> (&zero)[Y]) {
    float partial[M][Y] = {};
    PieceSum<T> act_sum[M];
#pragma unroll
    for (int p = 0; p < A / kPiece; p++) {
      Words4 piece[M];
#pragma unroll
      for (int m = 0; m < M; m++) {
        piece[m] = load_shared<Words4>(act + pitch * m + p * lanes * kPiece);
        act_sum[m].add(piece[m]);
      }
#pragma unroll
      for (int y = 0; y < Y; y++) {
        const Piece<T> w(Words::at(words[y], p), zero[y]);
#pragma unroll
        for (int m = 0; m < M; m++) partial[m][y] = w.add(piece[m], partial[m][y]);
      }
    }
#pragma unroll
    for (int y = 0; y < Y; y++) {
#pragma unroll
      for (int m = 0; m < M; m++) {
        const float done = Piece<T>::finish(partial[m][y], act_sum[m], zero[y]);
        sum_[m][y] = fma(done, scale[y], sum_[m][y]);
      }
    }
  }

  uint32_t first_, n_;
  const uint32_t* zero_;
  uint32_t zero_shift_;
  // Starts of the rows that are read: uniform over the wave, so that a load is one scalar base plus
  // a 32-bit offset per lane.
  const uint8_t* wei_[Y];
  const T* scale_[Y];
  float sum_[M][Y];
};

// All K*M in the array at once. All `waves_in_block` waves stage; those past rows.waves then
// return. One barrier, between staging and walking: a caller that comes here again puts another
// before it.
template <int M, int Y, int U, int A, int G, Zp zp, class T, class Rows, class Store>
W4_DEVICE void walk_resident(const WalkOperands<T>& o, const Rows& act, T* lds,
                             const WalkRows& rows, uint32_t waves_in_block, const Store& store) {
  stage_rows<M, A>(act, 0, o.k, o.k, lds, wave() * kLanes + lane(), waves_in_block * kLanes);
  barrier();
  if (wave() >= rows.waves) return;
  const uint64_t first = rows.first + wave() * Y;
  if (first >= o.n) return;
  auto n = static_cast<uint32_t>(first);
  while (true) {
    RowTile<T, M, Y, U, A, G, zp> tile(o, n);
    tile.walk(lds, o.k, 0, o.k);
    tile.store(store);
    if (o.n - n <= rows.step) return;
    n += rows.step;
  }
}

// K through the array in pieces of `chunk`. Waves past rows.waves return before the first barrier,
// the others all meet at the same barriers: the loop counts in rows of the block, not of the wave,
// so that a wave whose rows lie past N goes round as often as its neighbours. A barrier of gfx11
// has no tag: a wave that waited at a later one would let them on too early (contract.md 16, K20).
template <int M, int Y, int U, int A, int G, Zp zp, class T, class Rows, class Store>
W4_DEVICE void walk_chunked(const WalkOperands<T>& o, const Rows& act, T* lds, uint32_t chunk,
                            const WalkRows& rows, const Store& store) {
  if (wave() >= rows.waves || rows.first >= o.n) return;
  auto base = static_cast<uint32_t>(rows.first);
  while (true) {
    RowTile<T, M, Y, U, A, G, zp> tile(o, base + wave() * Y);
#pragma nounroll
    for (uint32_t k0 = 0; k0 < o.k; k0 += chunk) {
      const uint32_t length = o.k - k0 < chunk ? o.k - k0 : chunk;
      barrier();
      stage_rows<M, A>(act, k0, length, chunk, lds, wave() * kLanes + lane(), rows.waves * kLanes);
      barrier();
      tile.walk(lds, chunk, k0, length);
    }
    tile.store(store);
    if (o.n - base <= rows.step) return;
    base += rows.step;
  }
}

}  // namespace w4::device
