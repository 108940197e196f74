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

constexpr std::array kClauses{
    Clause{"experts.none", "The layer is dense: no experts", kOthers, experts_none},
};

}  // namespace

std::span<const Clause> moe() { return kClauses; }

}  // namespace w4::clauses
