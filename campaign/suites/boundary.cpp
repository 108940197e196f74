#include "campaign/suites/boundary.h"

#include <array>
#include <set>
#include <string_view>

#include "campaign/suites/suite.h"
#include "core/contract.h"
#include "kernels/decode_tile.h"

namespace w4 {
namespace {

constexpr std::array<int64_t, 3> kGroups{32, 64, 128};

// Whole octets, and ragged for every tile: 17 and 43 leave a rest for Y = 2 and 4, 3 is below Y
// = 4.
constexpr int64_t kWholeN = 16;
constexpr std::array<int64_t, 3> kRaggedN{17, 3, 43};

// On one CU these make 30 and 31 tiles of 4 rows: past the array the table then has another tile.
constexpr std::array<int64_t, 2> kManyN{120, 122};

// The two limits hold for any integer K; those that no G divides must be refused, and the largest
// that fit must not be refused because of their size.
void add_any_integer(std::vector<Case>& out, uint64_t seed) {
  for (int64_t m = 1; m <= kMaxDecodeM; ++m) {
    for (const int64_t limit : {kLdsElements, kSoftLdsElements}) {
      for (const int64_t k : {limit / m, limit / m + 1}) {
        out.push_back(decode_case(m, kWholeN, k, 32, DType::f16, seed));
      }
    }
  }
}

}  // namespace

BoundaryRow boundary_row(int64_t g, int64_t m) {
  const int64_t fit = kLdsElements / m / g * g;
  const int64_t accepted = kSoftLdsElements / m / g * g;
  return {g, m, fit, fit + g, accepted, accepted + g};
}

std::vector<int64_t> boundary_ks(const BoundaryRow& row) {
  std::set<int64_t> ks;
  for (const int64_t k : {row.last_fit, row.first_past, row.last_accepted, row.first_refused}) {
    for (const int64_t step : {-row.g, int64_t{0}, row.g}) ks.insert(k + step);
  }
  return {ks.begin(), ks.end()};
}

std::vector<Case> boundary_decode_cases(uint64_t seed) {
  constexpr std::array<ZpMode, 3> kZp{ZpMode::none, ZpMode::packed, ZpMode::unpacked};
  std::vector<Case> out;
  size_t turn = 0;
  for (const int64_t g : kGroups) {
    for (int64_t m = 1; m <= kMaxDecodeM; ++m) {
      const BoundaryRow row = boundary_row(g, m);
      for (const int64_t k : boundary_ks(row)) {
        for (const DType act : {DType::f16, DType::bf16}) {
          Case whole = decode_case(m, kWholeN, k, g, act, seed);
          whole.problem.zp = kZp.at(turn % 3);
          Case ragged = decode_case(m, kRaggedN.at(turn % 3), k, g, act, seed);
          ragged.problem.zp = turn % 2 == 0 ? ZpMode::none : ZpMode::unpacked;
          out.push_back(whole);
          out.push_back(ragged);
          ++turn;
        }
      }
      for (const int64_t k : {row.last_fit, row.first_past, row.last_accepted}) {
        for (const int64_t n : kManyN) {
          Case many = decode_case(m, n, k, g, turn % 2 == 0 ? DType::f16 : DType::bf16, seed);
          many.problem.cus = 1;
          many.problem.zp = turn % 3 == 0 ? ZpMode::none
                            : n % 8 != 0  ? ZpMode::unpacked
                                          : ZpMode::packed;
          out.push_back(many);
          ++turn;
        }
      }
      // Past the array every tile takes the medium form.
      for (const Tile& tile : decode_tiles(m)) {
        Case forced = decode_case(m, kRaggedN.at(turn++ % 3), row.first_past, g, DType::f16, seed);
        forced.problem.tile = tile;
        out.push_back(forced);
      }
      // More LDS on the device must not move the gate (contract.md 16, K1); less must refuse.
      for (const int64_t lds : {int64_t{160} << 10, int64_t{32} << 10}) {
        for (const int64_t k : {row.last_fit, row.first_past, row.first_refused}) {
          Case c = decode_case(m, kWholeN, k, g, DType::f16, seed);
          c.problem.lds = lds;
          out.push_back(c);
        }
      }
    }
  }
  add_any_integer(out, seed);
  return out;
}

std::vector<Case> boundary_width_cases(uint64_t seed) {
  constexpr std::array<std::string_view, 8> kLines{
      // 65537 tiles of tokens: more than a grid's second dimension has places, and rows past 2^20.
      "prefill m=1048577 n=1 k=32 g=32 tile=bm16bn16bk32w1 fill=integer",
      "chunked m=4 n=8 g=64 lda=2147483640",
      "chunked m=5 n=24 k=2560 g=32 lda=1073741832 act=bf16 zp=packed bias=n",
      "prefill m=4 n=17 g=64 lda=2147483640",
      "prefill m=7 n=24 g=32 lda=1073741832 act=bf16 zp=packed bias=mxn",
      "prefill_dense m=4 n=8 g=64 lda=2147483640",
      "prefill_carrier m=4 n=8 g=64 lda=2147483640 zp=packed",
      "hybrid m=6 n=8 k=512 g=128 lda=1073741832"};
  std::vector<Case> out;
  for (const std::string_view line : kLines) {
    out.push_back(*parse_case(line));
    out.back().seed = seed;
  }
  return out;
}

std::vector<Case> boundary_cases(uint64_t seed) {
  std::vector<Case> out = boundary_decode_cases(seed);
  for (Case& c : boundary_chunked_cases(seed)) out.push_back(std::move(c));
  for (Case& c : boundary_width_cases(seed)) out.push_back(std::move(c));
  return out;
}

}  // namespace w4
