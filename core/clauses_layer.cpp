#include <algorithm>
#include <array>

#include "core/clauses.h"

namespace w4::clauses {
namespace {

Broken act_rank(const Problem& p, const Reported&) {
  if (!p.lead && !p.ldl) return {};
  return broken("activations have a leading dimension of {}; legal: none", p.lead.value_or(1));
}

// A row is copied in pieces of 8 elements.
Broken act_stride(const Problem& p, const Reported&) {
  const int64_t stride = p.lda.value_or(p.k);
  if (stride >= p.k && stride % 8 == 0 && Wide{stride} <= kInt32Max) return {};
  return broken("activation row stride is {} elements; legal: multiples of 8 from K = {} to {}",
                stride, p.k, kInt32Max);
}

Broken zp_encoding(const Problem& p, const Reported&) {
  if (p.zp != ZpMode::unpacked) return {};
  return broken("zero points are unpacked; legal: none, packed");
}

constexpr std::array kClauses{
    Clause{"act.rank", "act has no leading dimension", kOthers, act_rank},
    Clause{"act.stride", "The activation row stride is a multiple of 8 elements, at least K",
           kOthers, act_stride},
    Clause{"zp.encoding", "Zero points are packed where there are any", kOthers, zp_encoding},
};

}  // namespace

std::span<const Clause> layer() { return kClauses; }

}  // namespace w4::clauses
