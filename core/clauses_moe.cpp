#include <algorithm>
#include <array>

#include "core/clauses.h"

namespace w4::clauses {
namespace {

Broken experts_none(const Problem& p, const Reported&) {
  if (p.experts == 0 && p.topk == 1 && p.blockm == 1 && !p.silu) return {};
  return broken(
      "experts = {}, topk = {}, blockm = {}, silu = {}; legal for a dense layer: 0, 1, 1, 0",
      p.experts, p.topk, p.blockm, p.silu ? 1 : 0);
}

Broken experts_positive(const Problem& p, const Reported&) {
  if (p.experts >= 1 && p.experts <= kInt32Max) return {};
  return broken("experts = {}; legal: 1 to {}", p.experts, kInt32Max);
}

Broken topk_range(const Problem& p, const Reported&) {
  if (p.topk >= 1 && p.topk <= std::max<int64_t>(p.experts, 1)) return {};
  return broken("top_k = {}; legal: 1 to the number of experts, {}", p.topk, p.experts);
}

Broken tokens_positive(const Problem& p, const Reported&) {
  if (p.m >= 1) return {};
  return broken("tokens M = {}; legal: at least 1", p.m);
}

Broken blockm_range(const Problem& p, const Reported&) {
  if (p.blockm >= 1 && p.blockm <= kMaxDecodeM) return {};
  return broken("block_m = {}; legal: 1 to {}", p.blockm, kMaxDecodeM);
}

Broken blockm_tile(const Problem& p, const Reported&) {
  if (p.blockm == 16 || p.blockm == 32 || p.blockm == 64) return {};
  return broken("block_m = {}; legal: 16, 32, 64", p.blockm);
}

// There is nothing to read an id from where there are no experts.
Broken ids_dtype(const Problem& p, const Reported&) {
  if (p.experts < 1 || p.idt.value_or(DType::i32) == DType::i32) return {};
  return broken("expert id dtype is {}; legal: i32", name_of(*p.idt));
}

Broken silu_guard(const Problem& p, const Reported&) {
  if (!p.silu || (p.blockm == 1 && p.k <= kMoeElements)) return {};
  return broken("fused silu with block_m = {} and K = {}; legal: block_m 1 and K up to {}",
                p.blockm, p.k, kMoeElements);
}

Broken silu_none(const Problem& p, const Reported&) {
  if (!p.silu) return {};
  return broken("fused silu is asked for; legal: none");
}

// Experts one after the other along the first dimension: only where that is the dimension of N.
Broken moe_source(const Problem& p, const Reported&) {
  const bool whole = p.n0 == 0 && p.k0 == 0 && p.gidx == GroupIndex::none;
  if ((p.src == Source::shuffled || p.src == Source::ct) && whole) return {};
  return broken(
      "source {} with n0 = {}, k0 = {}, gidx = {}; legal for experts: shuffled, ct, 0, 0, none",
      name_of(p.src), p.n0, p.k0, name_of(p.gidx));
}

// Past the larger array only tiles of the chunked form run; kernels/moe_args.h has the
// instantiations, a test holds the two together.
Broken tile_moe(const Problem& p, const Reported&) {
  if (!p.tile) return {};
  const Tile& t = *p.tile;
  const auto is = [&](int y, int u, int a, int w) {
    return !t.gemm && t.y == y && t.u == u && t.a == a && t.w == w;
  };
  const bool fits = Wide{p.k} * p.blockm <= kLdsElements;
  bool exists = false;
  if (p.blockm == 1) {
    exists =
        is(4, 4, 16, 16) || (fits && (is(4, 2, 32, 32) || is(4, 1, 8, 32) || is(4, 2, 16, 16)));
  } else {
    exists = (p.blockm >= 2 && p.blockm <= kMaxDecodeM) &&
             (is(4, 1, 16, 16) || is(4, 2, 16, 16) || (fits && is(2, 2, 16, 16)) ||
              (fits && p.blockm >= 3 && is(2, 4, 16, 16)));
  }
  if (exists) return {};
  const char* const legal =
      p.blockm == 1   ? (fits ? "y4u2a32w32, y4u4a16w16, y4u1a8w32, y4u2a16w16" : "y4u4a16w16")
      : !fits         ? "y4u1, y4u2 with a16 and w16"
      : p.blockm == 2 ? "y2u2, y4u1, y4u2 with a16 and w16"
                      : "y2u2, y2u4, y4u1, y4u2 with a16 and w16";
  return broken("tile is {} at block_m = {}, K = {}; legal: {}", to_string(t), p.blockm, p.k,
                legal);
}

constexpr std::array kClauses{
    Clause{"experts.none", "The layer is dense: no experts", "w4check", experts_none},
    Clause{"experts.positive", "There is at least one expert", kOthers, experts_positive},
    Clause{"topk.range", "top_k is 1 to the number of experts", kOthers, topk_range},
    Clause{"tokens.positive", "There is at least one token", kOthers, tokens_positive},
    Clause{"blockm.range", "block_m is 1 to 5", kOthers, blockm_range},
    Clause{"blockm.tile", "block_m is 16, 32 or 64", kOthers, blockm_tile},
    Clause{"ids.dtype", "Expert ids are int32", kOthers, ids_dtype},
    Clause{"silu.guard", "Fused silu has block_m 1 and K up to 8192", kOthers, silu_guard},
    Clause{"silu.none", "No fused silu", kOthers, silu_none},
    Clause{"tile.moe", "A forced tile is one that exists for block_m and K", kOthers, tile_moe},
    Clause{"source.experts", "Experts come whole, from a source whose first dimension is N",
           kOthers, moe_source},
};

}  // namespace

std::span<const Clause> moe() { return kClauses; }

}  // namespace w4::clauses
