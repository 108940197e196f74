#include "verify/explain/match.h"

#include <algorithm>

namespace w4::explain {
namespace {

constexpr size_t kFirst = 48;  // wrong elements that are looked at before all others

// Families by what they read, as findings name it.
bool concerns(const Hypothesis& h, std::string_view buffer) {
  const std::string_view family = h.name.substr(0, h.name.find('.'));
  if (buffer == "LDS") return family == "act";
  if (family == "group" || family == "scale") return buffer == "scale" || buffer == "zp";
  if (family == "k" || family == "moe") return buffer == "act";
  return family == buffer;
}

bool by_what_is_known(const Candidate& a, const Candidate& b) {
  return std::pair(a.unknown, a.place) < std::pair(b.unknown, b.place);
}

}  // namespace

Fit fit(const Observed& o, const Recipe& r) {
  Prediction predicted(o, r);
  const DType t = o.x.wei->act;
  const int64_t n = o.n();
  Fit out;
  const auto agrees = [&](int64_t i, int64_t j) {
    const Predicted p = predicted.at(i, j);
    ++out.compared;
    out.unknown += p.kind == Predicted::Kind::unknown;
    out.exact = out.exact && (p.kind != Predicted::Kind::value || p.exact);
    return fits(p, t, o.out[static_cast<size_t>(i * n + j)]);
  };
  size_t tried = 0;
  const int64_t stride = std::max<int64_t>(1, o.bad_count / static_cast<int64_t>(kFirst));
  int64_t seen = 0;
  for (size_t i = 0; i < o.bad.size() && tried < kFirst; ++i) {
    if (o.bad[i] == 0 || seen++ % stride != 0) continue;
    ++tried;
    const auto flat = static_cast<int64_t>(i);
    if (!agrees(flat / n, flat % n)) return out;
  }
  out = {};
  int64_t known_bad = 0;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < o.m(); ++i) {
      const int64_t before = out.unknown;
      if (!agrees(i, j)) return out;
      known_bad += out.unknown == before && o.bad[static_cast<size_t>(i * n + j)] != 0;
    }
  }
  const int64_t enough = std::min<int64_t>(8, (o.bad_count + 7) / 8);
  out.fits = out.unknown * 8 <= out.compared * 7 && known_bad >= enough;
  return out;
}

std::vector<Candidate> affected(const Observed& o, std::string_view buffer,
                                const std::function<bool()>& stop) {
  std::vector<Candidate> out;
  const DType t = o.x.wei->act;
  for (const Hypothesis& h : all_hypotheses()) {
    if (!concerns(h, buffer)) continue;
    for (const Variant& v : h.variants(o)) {
      if (stop()) return out;
      Prediction predicted(o, v.recipe);
      int64_t unknown = 0;
      bool fit = true;
      for (int64_t j = 0; fit && j < o.n(); ++j) {
        for (int64_t i = 0; fit && i < o.m(); ++i) {
          const auto at = static_cast<size_t>(i * o.n() + j);
          const Predicted p = predicted.at(i, j);
          const bool open = p.kind == Predicted::Kind::unknown;
          unknown += open;
          fit = open || (o.bad[at] == 0 && fits(p, t, o.out[at]));
        }
      }
      // Elements that depend on what lies outside are wrong, but for a chance hit.
      const int64_t by_chance = o.bad_count / 4 + std::min<int64_t>(o.bad_count, 4);
      if (fit && unknown > 0 && unknown <= o.bad_count + by_chance)
        out.push_back({&h, v.says, out.size(), unknown, false});
    }
  }
  std::ranges::sort(out, by_what_is_known);
  return out;
}

std::vector<Candidate> matching(const Observed& o, const std::function<bool()>& stop) {
  std::vector<Candidate> out;
  for (const Hypothesis& h : all_hypotheses()) {
    for (const Variant& v : h.variants(o)) {
      if (stop()) return out;
      const Fit f = fit(o, v.recipe);
      if (f.fits) out.push_back({&h, v.says, out.size(), f.unknown, f.exact});
    }
  }
  std::ranges::sort(out, by_what_is_known);
  return out;
}

std::vector<Candidate> still_matching(const std::vector<Candidate>& all, const Observed& o,
                                      const std::function<bool()>& stop) {
  std::vector<Candidate> out;
  for (const Hypothesis& h : all_hypotheses()) {
    if (std::ranges::none_of(all, [&](const Candidate& c) { return c.row == &h; })) continue;
    const std::vector<Variant> variants = h.variants(o);
    for (Candidate c : all) {
      if (c.row != &h || stop()) continue;
      const auto v = std::ranges::find(variants, c.says, &Variant::says);
      if (v == variants.end()) {
        out.push_back(std::move(c));
        continue;
      }
      const Fit f = fit(o, v->recipe);
      if (!f.fits) continue;
      c.unknown = std::max(c.unknown, f.unknown);
      c.exact = c.exact && f.exact;
      out.push_back(std::move(c));
    }
  }
  std::ranges::sort(out, by_what_is_known);
  return out;
}

}  // namespace w4::explain
