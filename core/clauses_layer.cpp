#include <algorithm>
#include <array>

#include "core/clauses.h"

namespace w4::clauses {
namespace {

Broken act_rank(const Problem& p, const Reported&) {
  if (!p.lead) return {};
  return broken("activations have a leading dimension of {}; legal: none", *p.lead);
}

// L of any value with M/L rows each; what cannot be seen as [M,K] is refused, not copied.
Broken act_leading(const Problem& p, const Reported&) {
  if (lead_collapses(p)) return {};
  return broken(
      "activations [{},{},K] have strides of {} and {} elements; legal: rows equally far apart, {}",
      *p.lead, lead_rows(p), resolved_ldl(p), resolved_lda(p),
      Wide{lead_rows(p)} * resolved_lda(p));
}

// act [L,M/L,K] holds fewer rows than out [M,N] where L does not divide M.
Broken out_leading(const Problem& p, const Reported&) {
  if (lead_divides(p)) return {};
  return broken("activations are [{},{},K] for M = {} rows of output; legal: L divides M", *p.lead,
                lead_rows(p), p.m);
}

Broken m_natural(const Problem& p, const Reported&) {
  if (p.lead.value_or(0) < 0) return broken("leading dimension {}; legal: at least 0", *p.lead);
  if (p.m >= 0) return {};
  return broken("M = {}; legal: at least 0", p.m);
}

// A row is copied in pieces of 8 elements.
Broken act_stride(const Problem& p, const Reported&) {
  const int64_t stride = p.lead ? collapsed_lda(p) : p.lda.value_or(p.k);
  if (stride >= p.k && stride % 8 == 0 && Wide{stride} <= kInt32Max) return {};
  return broken("activation row stride is {} elements; legal: multiples of 8 from K = {} to {}",
                stride, p.k, kInt32Max);
}

Broken zp_encoding(const Problem& p, const Reported&) {
  if (p.zp != ZpMode::unpacked) return {};
  return broken("zero points are unpacked; legal: none, packed");
}

// Past the LDS array only tiles of the chunked form run; kernels/chunked_args.h has the
// instantiations, a test holds the two together.
Broken tile_chunked(const Problem& p, const Reported&) {
  if (!p.tile) return {};
  const Tile& t = *p.tile;
  const auto is = [&](int y, int u, int a) { return t.y == y && t.u == u && t.a == a; };
  const bool some_m = p.m >= 1 && p.m <= kMaxDecodeM;
  const bool fits = Wide{p.k} * p.m <= kLdsElements;
  const bool chunked = is(2, 2, 16) || is(4, 1, 16) || is(4, 2, 16);
  const bool resident = p.m == 1 ? is(1, 4, 16) || is(2, 4, 16) || is(1, 4, 32) ||
                                       (p.zp == ZpMode::none && is(2, 8, 32))
                                 : p.m >= 3 && is(2, 4, 16);
  if (!t.gemm && t.w == 16 && some_m && (chunked || (fits && resident))) return {};
  return broken("tile is {} at M = {}, K = {}; legal: y2u2, y4u1, y4u2 with a16{}, all with w16",
                to_string(t), p.m, p.k,
                !fits      ? ""
                : p.m == 1 ? "; y1u4, y2u4 with a16, y1u4, where symmetric y2u8 with a32"
                : p.m >= 3 ? "; y2u4 with a16"
                           : "");
}

constexpr std::array kClauses{
    Clause{"act.rank", "act has no leading dimension", "w4check", act_rank},
    Clause{"act.leading", "A leading dimension of act collapses into M", kOthers, act_leading},
    Clause{"out.leading", "The output has the leading dimensions of act", kOthers, out_leading},
    Clause{"m.natural", "M, and a leading dimension, is at least 0", kOthers, m_natural},
    Clause{"act.stride", "The activation row stride is a multiple of 8 elements, at least K",
           kOthers, act_stride},
    Clause{"zp.encoding", "Zero points are packed where there are any", kOthers, zp_encoding},
    Clause{"tile.chunked", "A forced tile is one that exists for this M, K and zero points",
           kOthers, tile_chunked},
};

}  // namespace

std::span<const Clause> layer() { return kClauses; }

}  // namespace w4::clauses
