// Laws of the bias.
#include <algorithm>

#include "core/fill.h"
#include "verify/laws/laws.h"

namespace w4 {
namespace {

struct Both {
  Side without, with;
};

// The case's call without a bias and with one: its own, or a vector of N.
Result<Both> with_and_without(const Given& g) {
  Both out{g.side(), {}};
  Side& none = out.without;
  none.line.problem.bias = {};
  none.line.problem.ldb.reset();
  none.line.problem.boff = 0;
  out.with = none;
  Side& some = out.with;
  if (g.problem().bias.rank > 0) {
    some = g.side();
    none.x.bias.clear();
    none.x.by = none.x.bx = 0;
    return out;
  }
  some.line.problem.bias = {1, {{{Extent::Of::n, 0}, {}}}};
  if (auto why = g.why_not(some.line)) return fail("with a bias: {}", *why);
  some.x.by = 1, some.x.bx = g.problem().n;
  const Filler fill(g.line().fill, g.line().seed, g.problem().act, g.problem().k, g.problem().g);
  for (int64_t c = 0; c < some.x.bx; ++c) some.x.bias.push_back(fill.bias(0, c));
  return out;
}

}  // namespace

Result<Plan> plan_no_bias(const Given& g) {
  auto both = with_and_without(g);
  if (!both) return std::unexpected(both.error());
  std::ranges::fill(both->with.x.bias, uint16_t{0});
  both->with.data = "a bias of zeros";
  Plan p{.first = std::move(both->without)};
  p.more.push_back(std::move(both->with));
  return p;
}

Result<Plan> plan_bias_adds(const Given& g) {
  auto both = with_and_without(g);
  if (!both) return std::unexpected(both.error());
  Plan p{.first = std::move(both->without)};
  p.kind = Plan::Kind::adds_bias;
  p.more.push_back(std::move(both->with));
  return p;
}

}  // namespace w4
