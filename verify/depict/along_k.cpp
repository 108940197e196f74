#include "verify/depict/along_k.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "verify/explain/observe.h"

namespace w4::depict {
namespace {

using explain::Observed;

// Where wrong numbers are, the worst of them: what is not finite or unwritten has no size.
std::optional<Element> element_to_follow(const Observed& o) {
  std::optional<Element> out;
  for (int64_t m = 0; m < o.m(); ++m) {
    for (int64_t n = 0; n < o.n(); ++n) {
      if (o.bad[o.right.twin.at(m, n)] == 0) continue;
      const Element e = element_of(o, m, n);
      if (e.what == What::unwritten) continue;
      const bool finite = e.what == What::wrong;
      const bool had = out && out->what == What::wrong;
      if (!out || (finite && !had) || (finite == had && worse(e, *out))) out = e;
    }
  }
  return out;
}

class Prefixes {
 public:
  Prefixes(const Observed& o, Context& context, int64_t m, int64_t n)
      : line_(o.line), context_(context), m_(m), n_(n), all_(o.k()) {}

  // Null: no output came of it.
  const Prefix* at(int64_t end) {
    if (const auto known = known_.find(end); known != known_.end()) return &known->second;
    Case c = line_;
    const Span whole = c.only.k.value_or(Span{0, all_ - 1});
    // Past the end: nothing of act is left.
    const Span left{whole.first, std::min(whole.last, end - 1)};
    c.only.k = left.first > left.last ? Span{all_, all_} : left;
    const auto seen = explain::observe(c, context_);
    if (!seen) return nullptr;
    const Prefix p{.end = end, .element = element_of(**seen, m_, n_), .wrong = (*seen)->bad_count};
    return &known_.emplace(end, p).first->second;
  }
  size_t runs() const { return known_.size(); }
  std::vector<Prefix> points() const {
    std::vector<Prefix> out;
    for (const auto& [end, p] : known_) out.push_back(p);
    return out;
  }

 private:
  Case line_;
  Context& context_;
  int64_t m_, n_, all_;
  std::map<int64_t, Prefix> known_;
};

// Ends to look at first: those of groups where they are few, or finer ones in whole octets.
std::vector<int64_t> coarse(const Observed& o, size_t most) {
  const int64_t k = o.k();
  const Span whole = o.line.only.k.value_or(Span{0, k - 1});
  const int64_t first = whole.first, length = std::min(whole.last, k - 1) - first + 1;
  const auto count = static_cast<int64_t>(most);
  int64_t step = std::max<int64_t>(8, (length + count - 1) / count);
  const int64_t g = o.x.wei->g;
  step = step >= g ? (step + g - 1) / g * g : (step + 7) / 8 * 8;
  std::vector<int64_t> out{first};
  for (int64_t end = (first / step + 1) * step; end < first + length; end += step)
    out.push_back(end);
  out.push_back(first + length);
  return out;
}

}  // namespace

AlongK along_k(const Observed& o, Context& context, size_t points,
               const std::function<bool()>& stop) {
  AlongK out;
  Case bare = o.line;
  bare.only.k.reset();
  out.line = to_string(bare);
  const auto followed = element_to_follow(o);
  if (!followed) {
    out.why_not = "the wrong elements were never written, whatever the activations are";
    return out;
  }
  out.m = followed->m, out.n = followed->n;
  Prefixes prefixes(o, context, out.m, out.n);
  using Judge = bool (*)(const Prefix&);
  const Judge alone = [](const Prefix& p) { return p.element.what != What::right; };
  const Judge any = [](const Prefix& p) { return p.wrong > 0; };
  const std::vector<int64_t> ends = coarse(o, points / 2);
  for (const int64_t end : ends) {
    if (stop()) break;
    prefixes.at(end);
  }
  const auto first_wrong = [&](Judge wrong) -> std::optional<int64_t> {
    const std::vector<Prefix> seen = prefixes.points();
    const auto hit = std::ranges::find_if(seen, wrong);
    if (hit == seen.end()) return {};
    if (hit == seen.begin())
      return hit->end == ends.front() ? std::optional<int64_t>(-1) : std::nullopt;
    int64_t right = std::prev(hit)->end, bad = hit->end;
    while (bad - right > 1) {
      if (stop() || prefixes.runs() >= points) return {};
      const int64_t middle = std::midpoint(right, bad);
      const Prefix* const p = prefixes.at(middle);
      if (p == nullptr) return {};
      (wrong(*p) ? bad : right) = middle;
    }
    return right;
  };
  out.departs = first_wrong(alone);
  out.any_departs = first_wrong(any);
  out.cut_short = stop();
  out.points = prefixes.points();
  if (out.points.empty())
    out.why_not = out.cut_short ? "no time was left for it"
                                : "with part of act zero no output comes of the call";
  return out;
}

}  // namespace w4::depict
