#include <array>

#include "core/clauses.h"

namespace w4::clauses {
namespace {

bool gptq(const Problem& p) { return p.src == Source::gptq1 || p.src == Source::gptq2; }

// AutoGPTQ is the only format with a g_idx tensor (contract.md 3.3).
Broken source_gidx(const Problem& p, const Reported&) {
  if (p.gidx == GroupIndex::none || gptq(p)) return {};
  return broken("source {} carries a g_idx; legal: only GPTQ sources", name_of(p.src));
}

// With one group there is nothing to reorder.
Broken act_order(const Problem& p, const Reported&) {
  const bool one_group = groups(p) <= 1 && p.n0 == 0 && p.k0 == 0;
  if (p.gidx != GroupIndex::act || one_group) return {};
  return broken(
      "g_idx is in act-order; legal: absent, or k div G: the kernels read the scale of column k at "
      "k div G, and in act-order it is the scale of g_idx[k]");
}

Broken shard_range(const Problem& p, const Reported&) {
  if (p.experts > 0 && (p.n0 != 0 || p.k0 != 0)) {
    return broken("the shard starts at row {} and column {} of {} experts; legal: 0 and 0", p.n0,
                  p.k0, p.experts);
  }
  if (p.n0 >= 0 && p.k0 >= 0) return {};
  return broken("the shard starts at row {} and column {}; legal: inside the checkpoint, from 0",
                p.n0, p.k0);
}

Broken shard_group(const Problem& p, const Reported&) {
  if (p.g <= 0 || p.k0 % p.g == 0) return {};
  return broken("the shard starts at column {}; legal: multiples of the group size {}", p.k0, p.g);
}

// AWQ packs weights along N; every packed zero point is packed along N.
Broken shard_octet(const Problem& p, const Reported&) {
  const bool numbers = p.src == Source::shuffled && p.zp == ZpMode::unpacked;
  const bool along_n = p.src == Source::awq || (p.zp != ZpMode::none && !numbers);
  if (!along_n || p.n0 % 8 == 0) return {};
  return broken(
      "the shard starts at row {} from source {} with zero points {}; legal: multiples "
      "of 8",
      p.n0, name_of(p.src), name_of(p.zp));
}

constexpr std::array kClauses{
    Clause{"source.gidx", "Only GPTQ checkpoints carry a g_idx", "w4check", source_gidx},
    Clause{"act.order", "g_idx is absent or k div G", "V1 V2", act_order},
    Clause{"shard.range", "A shard lies inside the checkpoint", "w4check", shard_range},
    Clause{"shard.group", "A shard starts at a multiple of G along K", "w4check", shard_group},
    Clause{"shard.octet",
           "A shard starts at a multiple of 8 along N where the source packs along N", "w4check",
           shard_octet},
};

}  // namespace

std::span<const Clause> source() { return kClauses; }

}  // namespace w4::clauses
