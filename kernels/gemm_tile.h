// One workgroup's tile of
//   out[m,n] = sum_k act[m,k] * weight[n,k]      act rows [K]   weights by a Source   fp32 sums
// on matrix instructions: BM x BN of the output, K in tiles of BK, one row of weights and of
// activations after the other through LDS. What an act row, a weight and an output are is the
// kernel's: it hands in functions.
//   ActRow  const T* operator()(uint32_t row): the activations behind row 0..BM-1 of the tile,
//           always readable (a row past the last one gives any other's), aligned to 16 bytes
//   Source  Octets<count>(source, n) of row n of the weights: load(k, group) reads `count` octets
//           along K from k on, octet(i) gives the i-th as elements of type T (gemm_source.h);
//           rows past the last one are asked for as the last
//   Store   void operator()(uint32_t row, uint32_t column, const MatrixSum& sums): the lane's sums
//           of one column of the tile, in rows row + kMatrixRowStep * i; also those past the end of
//           the matrix
// The sum of an element runs over k ascending in steps of 16 whatever the tile: all shapes give the
// same bits.
#pragma once

#include "kernels/device.h"
#include "kernels/gemm_shape.h"

namespace w4::device {

// ROWS x COLUMNS waves share the tile.
template <int BM, int BN, int BK, int ROWS, int COLUMNS>
struct GemmShape {
  static constexpr int kBm = BM, kBn = BN, kBk = BK, kRows = ROWS, kColumns = COLUMNS;
  static constexpr int kWaves = ROWS * COLUMNS, kThreads = 32 * kWaves;
  static constexpr int kOctets = BK / 8;  // of a row
  static constexpr uint32_t kPitch = BK + kGemmRowPad;
  static constexpr uint32_t kLdsElements = gemm_lds_elements(BM, BN, BK);
  // 16 x 16 tiles of a wave.
  static constexpr int kTilesM = BM / ROWS / 16, kTilesN = BN / COLUMNS / 16;
  static_assert(kTilesM * ROWS * 16 == BM && kTilesN * COLUMNS * 16 == BN && BK % 32 == 0);
};

// How the threads of a workgroup divide `ROWS` rows of `OCTETS` pieces of 8 elements: each has
// `kCount` pieces of each of its `kPasses` rows.
template <int ROWS, int OCTETS, int THREADS>
struct Share {
  static constexpr int kPasses = ROWS > THREADS ? ROWS / THREADS : 1;
  static constexpr int kPerRow = ROWS > THREADS ? 1 : THREADS / ROWS;  // threads
  static constexpr int kCount = OCTETS / kPerRow;
  static_assert(kCount >= 1 && kCount * kPerRow == OCTETS);
  static_assert(kPasses * THREADS * kCount == ROWS * OCTETS);
  uint32_t row, part;
  W4_DEVICE explicit Share(uint32_t thread) : row(thread / kPerRow), part(thread % kPerRow) {}
  W4_DEVICE uint32_t row_of(int pass) const { return row + pass * (THREADS / kPerRow); }
};

// The thread's part of the activations of a tile. Its pieces of a row lie kPerRow apart, so that
// neighbours read neighbouring pieces.
template <class T, class Shape>
struct ActPart {
  using Shared = Share<Shape::kBm, Shape::kOctets, Shape::kThreads>;
  Shared share;
  const T* from[Shared::kPasses];
  Words4 octets[Shared::kPasses][Shared::kCount];

  template <class ActRow>
  W4_DEVICE ActPart(uint32_t thread, const ActRow& act_row) : share(thread) {
#pragma unroll
    for (int p = 0; p < Shared::kPasses; p++) {
      from[p] = act_row(share.row_of(p)) + 8 * share.part;
    }
  }
  W4_DEVICE void load(uint32_t k) {
#pragma unroll
    for (int p = 0; p < Shared::kPasses; p++) {
#pragma unroll
      for (int i = 0; i < Shared::kCount; i++) {
        octets[p][i] = load_global<Words4>(from[p] + k + 8 * Shared::kPerRow * i);
      }
    }
  }
  W4_DEVICE void store(T* lds) const {
#pragma unroll
    for (int p = 0; p < Shared::kPasses; p++) {
      T* const to = lds + share.row_of(p) * Shape::kPitch + 8 * share.part;
#pragma unroll
      for (int i = 0; i < Shared::kCount; i++) {
        *reinterpret_cast<Words4*>(to + 8 * Shared::kPerRow * i) = octets[p][i];
      }
    }
  }
};

// The thread's part of the weights: consecutive octets of one row, so that they are one load and
// have one scale.
template <class T, class Shape, class Source>
struct WeightPart {
  using Shared = Share<Shape::kBn, Shape::kOctets, Shape::kThreads>;
  static_assert(Shared::kPasses == 1);
  static constexpr int kCount = Shared::kCount;
  Shared share;
  typename Source::template Octets<kCount> octets;

  // `last`: the last row of weights, as row of the tile; rows past it give it again.
  W4_DEVICE WeightPart(uint32_t thread, const Source& source, uint32_t n0, uint32_t last)
      : share(thread), octets(source, n0 + (share.row < last ? share.row : last)) {}
  W4_DEVICE void load(uint32_t k, uint32_t group) {
    octets.load(k + 8 * kCount * share.part, group);
  }
  W4_DEVICE void store(T* lds) const {
    T* const to = lds + share.row * Shape::kPitch + 8 * kCount * share.part;
#pragma unroll
    for (int i = 0; i < kCount; i++) {
      *reinterpret_cast<Words4*>(to + 8 * i) = octets.octet(i);
    }
  }
};

// n0: first row of weights of the tile; n: rows of weights. K is whole tiles and whole groups of
// 2^group_shift elements; BK is at most a group: one scale a tile and row (contract.md 7.3).
// lds: Shape::kLdsElements of the workgroup.
template <class T, class Shape, class ActRow, class Source, class Store>
W4_DEVICE void gemm_tile(T* lds, const ActRow& act_row, const Source& source, uint32_t n0,
                         uint32_t n, uint32_t k, uint32_t group_shift, const Store& store) {
  T* const act_lds = lds;
  T* const wei_lds = lds + Shape::kBm * Shape::kPitch;
  const uint32_t thread = wave() * kLanes + lane();
  ActPart<T, Shape> act(thread, act_row);
  WeightPart<T, Shape, Source> wei(thread, source, n0, n - n0 - 1);
  const uint32_t row0 = wave() / Shape::kColumns * (Shape::kTilesM * 16);
  const uint32_t column0 = wave() % Shape::kColumns * (Shape::kTilesN * 16);
  MatrixSum sum[Shape::kTilesM][Shape::kTilesN] = {};

  act.load(0);
  wei.load(0, 0);
  uint32_t at = 0;
#pragma nounroll
  while (true) {
    act.store(act_lds);
    wei.store(wei_lds);
    barrier();
    at += Shape::kBk;
    const bool more = at < k;
    // On their way while the matrix unit works.
    if (more) {
      act.load(at);
      wei.load(at, at >> group_shift);
    }
#pragma unroll
    for (int step = 0; step < Shape::kBk; step += 16) {
      MatrixB<T> b[Shape::kTilesN];
#pragma unroll
      for (int j = 0; j < Shape::kTilesN; j++) {
        b[j] = load_b(wei_lds + (column0 + 16 * j) * Shape::kPitch + step, Shape::kPitch);
      }
#pragma unroll
      for (int i = 0; i < Shape::kTilesM; i++) {
        const MatrixA<T> a =
            load_a(act_lds + (row0 + 16 * i) * Shape::kPitch + step, Shape::kPitch);
#pragma unroll
        for (int j = 0; j < Shape::kTilesN; j++) sum[i][j] = multiply_add(a, b[j], sum[i][j]);
      }
    }
    if (!more) break;
    barrier();  // the tile is read before it is written again
  }
#pragma unroll
  for (int i = 0; i < Shape::kTilesM; i++) {
#pragma unroll
    for (int j = 0; j < Shape::kTilesN; j++) {
      store(row0 + 16 * i + matrix_first_row(), column0 + 16 * j + matrix_column(),
            in_rows(sum[i][j]));
    }
  }
}

}  // namespace w4::device
