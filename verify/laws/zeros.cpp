// Laws of zero points: only q - z counts, 8 is what no zero point means, and the encoding is not
// part of the answer.
#include <set>
#include <tuple>

#include "verify/laws/laws.h"

namespace w4 {
namespace {

// A call that stores zero points: in the form of the line, or in the first that the kernel takes.
std::optional<Case> with_zero_points(const Given& g) {
  Case line = g.line();
  line.law = Law::reference;
  line.problem.tile.reset();
  line.problem.qzeros = false;
  if (line.problem.zp != ZpMode::none) return line;
  for (const ZpMode form : {ZpMode::packed, ZpMode::unpacked}) {
    line.problem.zp = form;
    if (!g.why_not(line)) return line;
  }
  return std::nullopt;
}

}  // namespace

Result<Plan> plan_zero_shift(const Given& g) {
  if (g.problem().zp == ZpMode::none) return fail("the weights are symmetric");
  Plan p{.first = g.side()};
  const w4_numerics& numerics = g.numerics();
  const Problem& q = g.problem();
  if (numerics
          .chain(to_module(q.act), q.experts > 0 ? q.blockm : q.m, q.n, q.k, q.g,
                 g.setup().reported.cus)
          .offset_trick != 0) {
    p.inexact = "the offset trick sums 128 + q and 128 + z apart";
  }
  // Both halved, so that there is room: 0..7, then 1 to 8 higher.
  Weights low = *p.first.x.wei;
  for (uint8_t& v : low.q) v /= 2;
  for (uint8_t& v : low.z) v /= 2;
  Weights high = low;
  const int64_t groups = low.groups();
  std::set<std::tuple<uint16_t, uint8_t, int64_t>> seen;
  for (size_t i = 0; i < high.z.size(); ++i) {
    const auto row = static_cast<int64_t>(i) / groups, group = static_cast<int64_t>(i) % groups;
    const auto d = static_cast<uint8_t>(1 + g.below(0, 8, row, group));
    const uint8_t z = low.z[i];
    high.z[i] = static_cast<uint8_t>(z + d);
    for (int64_t k = group * low.g; k < (group + 1) * low.g; ++k) {
      high.q[static_cast<size_t>(row * low.k + k)] += d;
    }
    if (!seen.emplace(low.s[i], z, d).second || !p.inexact.empty()) continue;
    const double s = to_f64(low.act, low.s[i]);
    for (int code = 0; code < 8; ++code) {
      if (numerics.weight(to_module(low.act), code, z, s) !=
          numerics.weight(to_module(low.act), code + d, z + d, s)) {
        p.inexact = "the declared weight is not a function of q - z";
        break;
      }
    }
  }
  Side other = p.first;
  set_weights(p.first, std::move(low), "codes and zero points halved");
  set_weights(other, std::move(high), "codes and zero points halved, then 1 to 8 higher by group");
  p.more.push_back(std::move(other));
  return p;
}

Result<Plan> plan_implicit_8(const Given& g) {
  const auto stored = with_zero_points(g);
  if (!stored) return fail("the kernel takes no zero points with this problem");
  Plan p{.first = g.side()};
  Weights none = *p.first.x.wei;
  none.z.clear();
  Weights eights = none;
  eights.z.assign(eights.s.size(), 8);
  Side other = p.first;
  other.line = *stored;
  p.first.line.problem.zp = ZpMode::none;
  p.first.line.problem.zdt.reset();
  p.first.line.problem.zoff = 0;
  if (auto why = g.why_not(p.first.line)) return fail("without zero points: {}", *why);
  set_weights(p.first, std::move(none), "no zero points");
  set_weights(other, std::move(eights), "zero points of 8");
  p.zp = p.keep_tile = true;
  p.more.push_back(std::move(other));
  return p;
}

Result<Plan> plan_zero_form(const Given& g) {
  if (g.problem().zp == ZpMode::none) return fail("the weights are symmetric");
  Plan p{.first = g.side()};
  Case line = g.line();
  Problem& q = line.problem;
  q.tile.reset();
  q.zp = q.zp == ZpMode::packed ? ZpMode::unpacked : ZpMode::packed;
  q.zdt.reset();
  q.zoff = q.zoff / 16 * 16;
  if (auto why = g.why_not(line)) return fail("zero points in the other form: {}", *why);
  p.zp = p.keep_tile = true;
  p.more.push_back(g.side_of(std::move(line)));
  return p;
}

Result<Plan> plan_unused_zeros(const Given& g) {
  if (g.problem().zp != ZpMode::none) return fail("the zero points of this problem count");
  const Source src = g.problem().src;
  if (src == Source::gptq1 || src == Source::gptq2) return fail("GPTQ always carries zero points");
  Plan p{.first = g.side()};
  Case line = g.line();
  line.problem.qzeros = !line.problem.qzeros;
  if (auto why = g.why_not(line)) return fail("with unused zero points: {}", *why);
  p.more.push_back(g.side_of(std::move(line)));
  return p;
}

}  // namespace w4
