#include "verify/row_cases.h"

#include <algorithm>
#include <array>

#include "core/contract.h"
#include "kernels/prefill_tile.h"

namespace w4 {
namespace {

constexpr std::array<std::string_view, 6> kRows{"decode",        "chunked",         "prefill",
                                                "prefill_dense", "prefill_carrier", "hybrid"};

int64_t whole_octets(int64_t n) { return (n + 7) / 8 * 8; }

// Zero points are packed where there are any; the offset keeps their alignment.
void pack_zero_points(Problem& p) {
  if (p.zp != ZpMode::unpacked) return;
  p.zp = ZpMode::packed;
  p.n = whole_octets(p.n);
  p.zoff = p.zoff / 4 * 4;
}

// Rows of activations further apart than K, 16 bytes aligned.
void choose_act_stride(Chooser& choose, Problem& p) {
  if (choose.pick(3) == 1) p.lda = p.k + 8 * (1 + choose.pick(5));
}

// K so that K*M is past the array, by a group, by part of a piece or by several; a few rows of the
// output, so that the case stays small.
void choose_k_past_the_array(Chooser& choose, Problem& p) {
  const int64_t fits = kLdsElements / p.m / p.g;
  const int64_t pieces = 1 + choose.pick(3);
  p.k = p.g * (choose.pick(2) == 0 ? pieces * fits + 1
                                   : pieces * fits + 1 + choose.pick(static_cast<int>(fits)));
  p.n = p.zp == ZpMode::packed || p.n % 8 == 0 ? 8 : std::min<int64_t>(p.n, 7);
}

Case choose_chunked(Chooser& choose, CaseLimits limits) {
  const bool past = limits.lds_edge && choose.pick(6) == 5;
  limits.lds_edge = false;  // decode's edges, some of which it would refuse past
  Case c = choose_decode_case(choose, limits);
  c.kernel = "chunked";
  pack_zero_points(c.problem);
  if (past) choose_k_past_the_array(choose, c.problem);
  choose_act_stride(choose, c.problem);
  return c;
}

// Tokens round the edges of tiles (16 to 128), few ones, and any up to 130.
int64_t choose_tokens(Chooser& choose) {
  constexpr std::array<int64_t, 10> kEdges{16, 15, 17, 31, 33, 64, 65, 127, 128, 129};
  switch (choose.pick(3)) {
    case 0:
      return 1 + choose.pick(6);
    case 1:
      return kEdges[static_cast<size_t>(choose.pick(10))];
    default:
      return 1 + choose.pick(130);
  }
}

// A tile of all that exist, now and then; K in whole tiles follows from G.
void choose_prefill_tile(Chooser& choose, Problem& p, PrefillWeights weights) {
  if (choose.pick(4) != 1) return;
  std::vector<Tile> tiles = prefill_tiles(weights);
  std::erase_if(tiles, [&](const Tile& t) { return t.bk > p.g; });
  p.tile = tiles[static_cast<size_t>(choose.pick(static_cast<int>(tiles.size())))];
}

Case choose_prefill(Chooser& choose, CaseLimits limits, std::string_view row) {
  limits.lds_edge = false;  // K goes through the array tile by tile
  Case c = choose_decode_case(choose, limits);
  c.kernel = row;
  Problem& p = c.problem;
  p.m = choose_tokens(choose);
  // Many rows and a long K at once take long.
  if (p.m > 8) p.k = std::max(p.g, std::min<int64_t>(p.k, 512 / p.g * p.g));
  const auto weights = row == "prefill"         ? PrefillWeights::packed
                       : row == "prefill_dense" ? PrefillWeights::dense
                                                : PrefillWeights::carrier;
  if (weights == PrefillWeights::carrier) {
    if (p.zp == ZpMode::none) p.zp = ZpMode::packed, p.n = whole_octets(p.n);
    pack_zero_points(p);
  }
  choose_act_stride(choose, p);
  choose_prefill_tile(choose, p, weights);
  return c;
}

// Both sides of the route (contract.md 8): M about 5, K*M about the array. No tile: it would be of
// one side.
Case choose_hybrid(Chooser& choose, const CaseLimits& limits) {
  Case c = choose_chunked(choose, limits);
  c.kernel = "hybrid";
  Problem& p = c.problem;
  if (choose.pick(2) == 0) return c;
  p.m = choose_tokens(choose);
  if (p.m > 8) {
    p.k = std::max(p.g, std::min<int64_t>(p.k, 512 / p.g * p.g));
    if (p.lda) p.lda = p.k + 8;
  }
  return c;
}

}  // namespace

std::span<const std::string_view> generated_rows() { return kRows; }

Case choose_case(Chooser& choose, const CaseLimits& limits, std::string_view row) {
  if (row == "chunked") return choose_chunked(choose, limits);
  if (row.starts_with("prefill")) return choose_prefill(choose, limits, row);
  if (row == "hybrid") return choose_hybrid(choose, limits);
  return choose_decode_case(choose, limits);
}

}  // namespace w4
