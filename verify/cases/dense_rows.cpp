// Legal cases of the rows of a dense layer: decode, chunked, the prefills, hybrid.
#include <algorithm>
#include <array>
#include <vector>

#include "core/contract.h"
#include "kernels/chunked_tile.h"
#include "kernels/decode_tile.h"
#include "kernels/prefill_tile.h"
#include "verify/cases/memory.h"
#include "verify/cases/rows.h"
#include "verify/cases/settings.h"
#include "verify/cases/shapes.h"

namespace w4 {
namespace {

constexpr int kSymmetricOrPacked = 2, kAnyZeroPoints = 3;

// About the largest N*K*M of a case, so that it stays small. Matrix instructions compute whole
// tiles, so M and N count there as what they fill.
constexpr int64_t kWalkProducts = int64_t{1} << 18;
constexpr int64_t kTileProducts = int64_t{1} << 20;

// K*M up to four arrays, past which K goes through the array in pieces.
constexpr StagingArray kPieces{kLdsElements, 4 * kLdsElements};

// Tokens round the edges of tiles (16 to 128) and of the route (5 and 6), and any up to 130; few
// where K is long, because the two at once take long.
int64_t choose_tokens(Chooser& choose, int64_t k) {
  constexpr std::array<int64_t, 10> kEdges{16, 15, 17, 31, 33, 64, 65, 127, 128, 129};
  choose.about(Part::tokens);
  const int64_t most = std::max<int64_t>(18, kTileProducts / (32 * k));
  switch (choose.pick(3)) {
    case 0:
      return 1 + pick64(choose, 6);
    case 1:
      return std::min(one_of(choose, kEdges), most);
    default:
      return 1 + pick64(choose, std::min<int64_t>(most, 130));
  }
}

int64_t whole(int64_t value, int64_t of) { return (value + of - 1) / of * of; }

void force(Chooser& choose, Problem& p, const std::vector<Tile>& tiles) {
  choose.about(Part::tile);
  if (one_in(choose, 4)) p.tile = one_of(choose, std::span<const Tile>(tiles));
}

// A tile no deeper than a group. A large one now and then only where it makes the case large, and
// where K is long mostly the smallest instead of what the table wants.
void force_tile(Chooser& choose, Problem& p, PrefillWeights weights) {
  choose.about(Part::tile);
  const bool long_k = p.k > 1024;
  if (long_k ? one_in(choose, 4) : !one_in(choose, 3)) return;
  const int64_t most = one_in(choose, 16) ? 8 * kTileProducts : kTileProducts;
  std::vector<Tile> tiles = prefill_tiles(weights);
  std::erase_if(tiles, [&](const Tile& t) {
    return t.bk > p.g || (t.bm + t.bn > 32 && whole(p.m, t.bm) * whole(p.n, t.bn) * p.k > most);
  });
  p.tile = one_of(choose, std::span<const Tile>(tiles));
}

void choose_rest(Chooser& choose, const CaseLimits& limits, Case& c, int64_t least_lds) {
  choose_bias(choose, c.problem);
  choose_checkpoint(choose, c.problem);
  choose_memory(choose, c.problem);
  choose_settings(choose, limits, c, least_lds);
}

// More tokens than 2^16 tiles of 16, or about 2^19: where a grid of three dimensions or a count of
// tiles or rows that has fewer bits ends.
Case far_rows(Chooser& choose, const CaseLimits& limits, std::string_view row) {
  Case c;
  c.kernel = row;
  Problem& p = c.problem;
  constexpr int64_t kTileRows = 16;
  constexpr std::array<int64_t, 4> kTokens{kTileRows * 65536 + 1, kTileRows * 65536 + 17,
                                           kTileRows * 65535 + 1, (int64_t{1} << 19) + 1};
  p.m = one_of(choose, kTokens);
  p.n = 1 + pick64(choose, 2);
  p.k = p.g = 32;
  p.act = choose.pick(2) == 0 ? DType::f16 : DType::bf16;
  p.tile = Tile{.w = 1, .gemm = true, .bm = 16, .bn = 16, .bk = 32};
  c.seed = static_cast<uint64_t>(choose.pick(1 << 16));
  if (!limits.devices.empty()) c.device = one_of(choose, limits.devices);
  if (row == "prefill_carrier") p.zp = ZpMode::packed, p.n = 8;
  return c;
}

}  // namespace

Case choose_decode(Chooser& choose, const CaseLimits& limits) {
  Case c;
  c.kernel = "decode";
  Problem& p = c.problem;
  choose.about(Part::tokens);
  p.m = 1 + pick64(choose, kMaxDecodeM);
  choose_depth(choose, limits, p, p.m, {kLdsElements, kSoftLdsElements});
  choose_format(choose, p, kAnyZeroPoints);
  choose_columns(choose, limits, p, p.m, kWalkProducts);
  choose_rest(choose, limits, c, 2 * kLdsElements);
  force(choose, p, decode_tiles(p.m));
  return c;
}

Case choose_chunked(Chooser& choose, const CaseLimits& limits) {
  Case c;
  c.kernel = "chunked";
  Problem& p = c.problem;
  choose.about(Part::tokens);
  p.m = 1 + pick64(choose, kMaxDecodeM);
  choose_depth(choose, limits, p, p.m, kPieces);
  choose_format(choose, p, kSymmetricOrPacked);
  choose_columns(choose, limits, p, p.m, kWalkProducts);
  choose_rest(choose, limits, c, 2 * kLdsElements);
  choose_act_stride(choose, p);
  force(choose, p, chunked_tiles(p.m, p.k, p.zp == ZpMode::none));
  return c;
}

Case choose_prefill(Chooser& choose, const CaseLimits& limits, std::string_view row) {
  constexpr int kFarRows = 200;
  choose.about(Part::tokens);
  if (limits.far_rows && one_in(choose, kFarRows)) return far_rows(choose, limits, row);
  Case c;
  c.kernel = row;
  Problem& p = c.problem;
  choose_depth(choose, limits, p, 1, {});
  p.m = choose_tokens(choose, p.k);
  choose_format(choose, p, kAnyZeroPoints);
  const auto weights = row == "prefill"         ? PrefillWeights::packed
                       : row == "prefill_dense" ? PrefillWeights::dense
                                                : PrefillWeights::carrier;
  if (weights == PrefillWeights::carrier) {
    p.zp = ZpMode::packed;
    choose.about(Part::memory);
    p.cpad = one_of(choose, std::array<Auto, 4>{Auto{}, Auto{0}, Auto{1}, Auto{7}});
    p.coff = choose.pick(3) == 1 ? 4 * pick64(choose, 16) : 0;
  }
  choose_columns(choose, limits, p, whole(p.m, 16), kTileProducts);
  choose_rest(choose, limits, c, kPrefillLds);
  choose_act_stride(choose, p);
  force_tile(choose, p, weights);
  return c;
}

// Both sides of the route (contract.md 8): M about 5, K*M about the array.
Case choose_hybrid(Chooser& choose, const CaseLimits& limits) {
  Case c;
  c.kernel = "hybrid";
  Problem& p = c.problem;
  choose.about(Part::tokens);
  p.m = 1 + pick64(choose, kMaxDecodeM);
  choose_depth(choose, limits, p, p.m, {kLdsElements, kLdsElements + 4096});
  choose.about(Part::tokens);
  if (choose.pick(2) == 1) p.m = choose_tokens(choose, p.k);
  const bool walks = routes_to_decode(p.m, p.k);
  choose_format(choose, p, walks ? kSymmetricOrPacked : kAnyZeroPoints);
  if (walks) {
    choose_columns(choose, limits, p, p.m, kWalkProducts);
  } else {
    choose_columns(choose, limits, p, whole(p.m, 16), kTileProducts);
  }
  choose_rest(choose, limits, c, 2 * kLdsElements);
  choose_act_stride(choose, p);
  choose_leading(choose, p);
  if (walks) {
    force(choose, p, chunked_tiles(p.m, p.k, p.zp == ZpMode::none));
  } else {
    force_tile(choose, p, PrefillWeights::packed);
  }
  return c;
}

}  // namespace w4
