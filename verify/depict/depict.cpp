#include "verify/depict/depict.h"

#include <chrono>
#include <numeric>

#include "verify/explain/observe.h"
#include "verify/explain/positions.h"

namespace w4::depict {
namespace {

using explain::Observed;

// Rows in the order of their blocks; rows of no block come last. Empty: they are so already.
std::vector<int64_t> order_of(const Observed& o) {
  if (!o.x.moe || o.x.moe->sorted_ids.empty()) return {};
  std::vector<int64_t> out;
  std::vector<uint8_t> have(static_cast<size_t>(o.m()));
  for (const int32_t id : o.x.moe->sorted_ids) {
    if (id < 0 || id >= o.m() || have[static_cast<size_t>(id)] != 0) continue;
    have[static_cast<size_t>(id)] = 1;
    out.push_back(id);
  }
  for (int64_t m = 0; m < o.m(); ++m) {
    if (have[static_cast<size_t>(m)] == 0) out.push_back(m);
  }
  return out;
}

void take_findings(const std::vector<Outcome>& outcomes, size_t most, Depiction& d) {
  for (const Outcome& o : outcomes) {
    const auto* found = std::get_if<Found>(&o);
    if (found == nullptr) continue;
    for (const Finding& f : found->findings) {
      ++d.findings_in_all;
      if (d.findings.size() < most) d.findings.push_back(show(f));
    }
  }
}

void take_output(const Observed& o, const Limits& limits, Depiction& d) {
  d.line = to_string(o.line);
  d.m = o.m(), d.n = o.n(), d.k = o.k(), d.g = o.x.wei->g;
  d.wrong = o.bad_count;
  d.instantiation = o.instantiation;
  d.symbol = o.symbols.empty() ? "" : o.symbols.front();
  d.geometry = geometry_of(d.instantiation, d.symbol);
  d.order = order_of(o);
  if (o.x.moe) {
    for (int64_t at = 0; at < o.m(); ++at) {
      const int64_t row = d.order.empty() ? at : d.order[static_cast<size_t>(at)];
      d.experts.push_back(o.x.moe->expert[static_cast<size_t>(row)]);
    }
  }
  d.picture = picture_of(o, d.order, limits.side);
  d.worst = worst_of(o, limits.worst);
}

// Anything that ends a wave where it is found.
bool cut_short(const std::vector<Outcome>& outcomes) {
  const auto ends = [](const Finding& f) {
    return f.kind != FindingKind::unwritten_output && f.kind != FindingKind::input_modified &&
           f.kind != FindingKind::double_write;
  };
  return std::ranges::any_of(outcomes, [&](const Outcome& o) {
    const auto* found = std::get_if<Found>(&o);
    return found != nullptr && std::ranges::any_of(found->findings, ends);
  });
}

std::string why_of(const std::vector<Outcome>& outcomes) {
  return outcomes.empty() ? "the call gives no output" : to_string(outcomes.front());
}

}  // namespace

Depiction depict(const Case& c, const Verdict& verdict, Context& context, const Limits& limits) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(limits.seconds));
  const auto over = [&] { return limits.stop() || Clock::now() > end; };
  Depiction d;
  Case line = c;
  line.law = Law::reference;
  d.line = to_string(line);
  auto seen = explain::observe(line, context);
  // Where the call of a law is right, what is wrong may be its further one.
  const LawBroken* broken = nullptr;
  for (const Outcome& o : verdict.outcomes) {
    if (broken == nullptr) broken = std::get_if<LawBroken>(&o);
  }
  if (seen && (*seen)->bad_count == 0 && broken != nullptr) {
    if (const auto further = parse_case(broken->second_line)) {
      if (auto other = explain::observe(*further, context); other && (*other)->bad_count > 0)
        seen = std::move(other);
    }
  }
  if (!seen) {
    d.why_no_output = why_of(seen.error());
    take_findings(seen.error(), limits.findings, d);
    return d;
  }
  take_findings((*seen)->outcomes, limits.findings, d);
  // A check that is off already ended nothing.
  if (cut_short((*seen)->outcomes) && (*seen)->line.checks.mask != 0) {
    Case bare = (*seen)->line;
    bare.checks.mask = 0;
    if (auto whole = explain::observe(bare, context)) {
      seen = std::move(whole);
      d.unchecked = true;
    } else {
      d.why_checked = why_of(whole.error());
    }
  }
  const Observed& o = **seen;
  take_output(o, limits, d);
  if (o.bad_count == 0) {
    d.along_k.why_not = "every element of the output is within its interval";
  } else {
    d.along_k = along_k(o, context, limits.points, over);
  }
  return d;
}

}  // namespace w4::depict
