#include <array>

#include "campaign/suites/boundary.h"
#include "campaign/suites/suite.h"
#include "core/contract.h"
#include "kernels/chunked_args.h"
#include "kernels/chunked_tile.h"

namespace w4 {
namespace {

constexpr std::array<int64_t, 3> kGroups{32, 64, 128};

// As for decode: whole octets, and ragged for every tile.
constexpr int64_t kWholeN = 16;
constexpr std::array<int64_t, 3> kRaggedN{17, 3, 43};

// On one CU these are enough rows for the other two tiles past the array: 120 leave a wave idle,
// 122 and 128 do not.
constexpr std::array<int64_t, 3> kManyN{120, 122, 128};

Case chunked_case(int64_t m, int64_t n, int64_t k, int64_t g, DType act, uint64_t seed) {
  Case c = decode_case(m, n, k, g, act, seed);
  c.kernel = "chunked";
  return c;
}

}  // namespace

std::vector<int64_t> boundary_chunked_ks(const BoundaryRow& row) {
  // The most that the tile of few rows, (4,2), takes into the array at once.
  const int64_t fit = walk_fit(kLdsElements, row.m, walk_step(16, 2));
  return {row.last_fit - row.g,   row.last_fit, row.first_past,
          row.first_past + row.g, 2 * fit,      2 * fit + row.g};
}

std::vector<Case> boundary_chunked_cases(uint64_t seed) {
  std::vector<Case> out;
  size_t turn = 0;
  for (const int64_t g : kGroups) {
    for (int64_t m = 1; m <= kMaxDecodeM; ++m) {
      const BoundaryRow row = boundary_row(g, m);
      for (const int64_t k : boundary_chunked_ks(row)) {
        for (const DType act : {DType::f16, DType::bf16}) {
          Case whole = chunked_case(m, kWholeN, k, g, act, seed);
          whole.problem.zp = turn % 3 == 0 ? ZpMode::none : ZpMode::packed;
          Case ragged = chunked_case(m, kRaggedN.at(turn % 3), k, g, act, seed);
          if (turn % 2 == 0) ragged.problem.lda = k + 8 * (1 + static_cast<int64_t>(turn % 5));
          out.push_back(whole);
          out.push_back(ragged);
          ++turn;
        }
      }
      for (const int64_t k : {row.last_fit, row.first_past}) {
        for (const int64_t n : kManyN) {
          Case many = chunked_case(m, n, k, g, turn % 2 == 0 ? DType::f16 : DType::bf16, seed);
          many.problem.cus = 1;
          if (n % 8 == 0 && turn % 4 < 2) many.problem.zp = ZpMode::packed;
          out.push_back(many);
          ++turn;
        }
        for (const ZpMode zp : {ZpMode::none, ZpMode::packed}) {
          for (const Tile& tile : chunked_tiles(m, k, zp == ZpMode::none)) {
            Case forced = chunked_case(m, zp == ZpMode::none ? kRaggedN.at(turn % 3) : kWholeN, k,
                                       g, turn % 2 == 0 ? DType::f16 : DType::bf16, seed);
            forced.problem.zp = zp;
            forced.problem.tile = tile;
            out.push_back(forced);
            ++turn;
          }
        }
        // More LDS on the device must not move the gate (contract.md 16, K1); less must refuse.
        for (const int64_t lds : {int64_t{160} << 10, int64_t{32} << 10}) {
          Case c = chunked_case(m, kWholeN, k, g, DType::f16, seed);
          c.problem.lds = lds;
          out.push_back(c);
        }
      }
    }
  }
  return out;
}

}  // namespace w4
