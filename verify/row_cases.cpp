#include "verify/row_cases.h"

#include <algorithm>
#include <array>

#include "core/contract.h"
#include "kernels/moe_tile.h"
#include "kernels/prefill_tile.h"

namespace w4 {
namespace {

// Fuzz seeds name a row by its place: add at the end.
constexpr std::array<std::string_view, 8> kRows{"decode",        "chunked",         "prefill",
                                                "prefill_dense", "prefill_carrier", "hybrid",
                                                "moe",           "moe_prefill"};

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

// A layer of experts (contract.md 12) from a dense case: no bias, symmetric or packed, from a
// source whose first dimension is N. All weights of a case are E times those of the dense one.
Case choose_experts(Chooser& choose, CaseLimits limits, std::string_view row) {
  limits.lds_edge = false;
  limits.k = std::min<int64_t>(limits.k, 1024);
  Case c = choose_decode_case(choose, limits);
  c.kernel = row;
  Problem& p = c.problem;
  p.bias = {};
  p.boff = 0;
  pack_zero_points(p);
  if (p.src != Source::shuffled) p.src = Source::ct;
  if (p.src == Source::ct && p.zp != ZpMode::none) p.n = whole_octets(p.n);
  p.experts = 1 + choose.pick(8);
  p.topk = 1 + choose.pick(static_cast<int>(p.experts));
  p.route = static_cast<Routing>(choose.pick(static_cast<int>(Routing::outside) + 1));
  p.rows = choose.pick(2) == 0 ? Rows::scattered : Rows::contiguous;
  return c;
}

// K round both arrays: where one of them just holds block_m rows, and past it. Two experts and a
// few columns, so that the case stays small.
void choose_k_round_the_arrays(Chooser& choose, Problem& p) {
  const int64_t fits = (choose.pick(2) == 0 ? kMoeElements : kLdsElements) / p.blockm / p.g * p.g;
  p.k = fits + p.g * choose.pick(4);
  p.n = std::min<int64_t>(p.n, p.n % 8 == 0 ? 8 : 7);
  p.experts = std::min<int64_t>(p.experts, 2);
  p.topk = std::min(p.topk, p.experts);
}

Case choose_moe(Chooser& choose, const CaseLimits& limits) {
  Case c = choose_experts(choose, limits, "moe");
  Problem& p = c.problem;
  p.blockm = 1 + choose.pick(kMaxDecodeM);
  p.silu = choose.pick(4) == 1;
  if (p.silu) p.blockm = 1;
  if (limits.lds_edge && choose.pick(6) == 5) choose_k_round_the_arrays(choose, p);
  if (p.silu) p.k = std::min(p.k, kMoeElements / p.g * p.g);
  if (choose.pick(4) == 1) {
    const std::vector<Tile> tiles = moe_tiles(p.blockm, p.k, p.silu);
    p.tile = tiles[static_cast<size_t>(choose.pick(static_cast<int>(tiles.size())))];
  }
  return c;
}

Case choose_moe_prefill(Chooser& choose, const CaseLimits& limits) {
  constexpr std::array<int64_t, 3> kBlocks{16, 32, 64};
  Case c = choose_experts(choose, limits, "moe_prefill");
  Problem& p = c.problem;
  p.m = choose.pick(2) == 0 ? 1 + choose.pick(8) : 1 + choose.pick(64);
  p.blockm = kBlocks[static_cast<size_t>(choose.pick(3))];
  // Many slots and a long K at once take long.
  p.k = std::max(p.g, std::min<int64_t>(p.k, 512 / p.g * p.g));
  if (p.m > 8) p.topk = std::min<int64_t>(p.topk, 3);
  if (choose.pick(6) == 1) {  // whole blocks, without padding
    p.route = Routing::single;
    p.m = p.blockm * (1 + choose.pick(static_cast<int>(64 / p.blockm)));
    p.topk = std::min<int64_t>(p.topk, 3);
  }
  return c;
}

}  // namespace

std::span<const std::string_view> generated_rows() { return kRows; }

Case choose_case(Chooser& choose, const CaseLimits& limits, std::string_view row) {
  if (row == "chunked") return choose_chunked(choose, limits);
  if (row.starts_with("prefill")) return choose_prefill(choose, limits, row);
  if (row == "hybrid") return choose_hybrid(choose, limits);
  if (row == "moe") return choose_moe(choose, limits);
  if (row == "moe_prefill") return choose_moe_prefill(choose, limits);
  return choose_decode_case(choose, limits);
}

}  // namespace w4
