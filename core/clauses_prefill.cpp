#include <algorithm>
#include <array>

#include "core/clauses.h"

namespace w4::clauses {
namespace {

// Offsets have 64 bits; rows, columns and workgroups are counted in 32.
Broken index_wide(const Problem& p, const Reported&) {
  const std::array<std::pair<std::string_view, int64_t>, 3> all{
      {{"M", p.m}, {"N", p.n}, {"K", p.k}}};
  for (const auto& [what, value] : all) {
    if (value > kInt32Max) return broken("{} = {}; legal: at most {}", what, value, kInt32Max);
  }
  const Wide tiles = (Wide{p.m} + 15) / 16 * ((Wide{p.n} + 15) / 16);
  if (tiles <= kMaxWorkgroups) return {};
  return broken("M = {} and N = {} are {} tiles of 16 x 16; legal: at most {}", p.m, p.n, tiles,
                kMaxWorkgroups);
}

Broken lds_prefill(const Problem&, const Reported& r) {
  if (r.lds >= kPrefillLds) return {};
  return broken("the device reports {} bytes of LDS per block; legal: at least {}", r.lds,
                kPrefillLds);
}

Broken carrier_stride_legal(const Problem& p, const Reported&) {
  const int64_t pad = p.cpad.value_or(0);
  const Wide stride = Wide{groups(p)} + pad;
  if (pad >= 0 && stride <= kInt32Max) return {};
  return broken("carrier row stride is {} groups; legal: at least K/G = {}, at most {}", stride,
                groups(p), kInt32Max);
}

Broken align_carrier(const Problem& p, const Reported&) {
  return require_multiple("carrier offset", p.coff, 4);
}

// The shapes that exist, with their waves and the largest of their depths; kernels/prefill_args.h
// has the instantiations, a test holds the two together.
struct Shape {
  int bm, bn, w, deepest;
};
constexpr std::array<Shape, 10> kShapes{{{16, 16, 1, 128},
                                         {32, 32, 4, 128},
                                         {32, 64, 4, 128},
                                         {64, 16, 1, 64},
                                         {64, 32, 4, 128},
                                         {64, 64, 4, 64},
                                         {64, 128, 8, 64},
                                         {128, 32, 4, 128},
                                         {128, 64, 8, 128},
                                         {128, 128, 8, 64}}};

// A tile deeper than a group would use one scale for several (contract.md 7.3): a forced one is
// refused, not clamped.
Broken tile_prefill(const Problem& p, const Reported&) {
  if (!p.tile) return {};
  const Tile& t = *p.tile;
  const auto* shape = std::ranges::find_if(kShapes, [&](const Shape& s) {
    return s.bm == t.bm && s.bn == t.bn && s.w == t.w && t.bk <= s.deepest;
  });
  const bool depth = t.bk == 32 || t.bk == 64 || t.bk == 128;
  if (t.gemm && shape != kShapes.end() && depth && t.bk <= p.g) return {};
  std::string legal;
  for (const Shape& s : kShapes) {
    legal +=
        fmt::format("{}bm{}bn{}w{} to bk{}", legal.empty() ? "" : ", ", s.bm, s.bn, s.w, s.deepest);
  }
  return broken("tile is {} with G = {}; legal: bk of 32, 64 or 128 and at most G, {}",
                to_string(t), p.g, legal);
}

Broken tile_depth(const Problem& p, const Reported&) {
  if (!p.tile || p.tile->bk == 32) return {};
  return broken("tile is {}; legal: bk32", to_string(*p.tile));
}

constexpr std::array kClauses{
    Clause{"index.wide",
           "M, N and K fit int32, and M x N is at most 2^27 - 1 tiles of 16 x 16: 64-bit offsets",
           kOthers, index_wide},
    Clause{"lds.prefill", "The device reports at least the 52224 bytes of the largest prefill tile",
           kOthers, lds_prefill},
    Clause{"carrier.stride", "The row stride of the carrier is at least K/G and fits int32",
           kOthers, carrier_stride_legal},
    Clause{"align.carrier", "carrier starts at a multiple of 4 bytes", kOthers, align_carrier},
    Clause{"tile.prefill", "A forced prefill tile is one that exists, no deeper than a group",
           kOthers, tile_prefill},
    Clause{"tile.depth", "A forced tile is 32 deep", kOthers, tile_depth},
};

}  // namespace

std::span<const Clause> prefill() { return kClauses; }

}  // namespace w4::clauses
