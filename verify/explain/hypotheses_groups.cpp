// Which group a weight belongs to.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "verify/explain/hypothesis.h"
#include "verify/explain/tables.h"

namespace w4::explain {
namespace {

// Scales and zero points of group `group_of(k)`.
template <class F>
Recipe with_group(const Observed& o, F group_of) {
  const Tables t(o);
  Recipe r = declared_recipe(o);
  r.scale = [t, group_of](int64_t row, int64_t k) { return t.scale(row, group_of(k)); };
  r.zero = [t, group_of](int64_t row, int64_t k) { return t.zero(row, group_of(k)); };
  return r;
}

constexpr std::array<int64_t, 6> kSizes{128, 64, 32, 256, 512, 16};

std::vector<Variant> other_size(const Observed& o) {
  std::vector<Variant> out;
  const int64_t g = o.x.wei->g;
  for (const int64_t other : kSizes) {
    if (other == g || (other > g && o.x.wei->groups() < 2)) continue;
    out.push_back({fmt::format("computed with G={} instead of {}: the group of k is k div {}, the "
                               "rows of scales and zero points start where they should",
                               other, g, other),
                   with_group(o, [other](int64_t k) { return k / other; })});
  }
  return out;
}

std::vector<Variant> other_size_and_stride(const Observed& o) {
  std::vector<Variant> out;
  const Tables t(o);
  for (const int64_t other : kSizes) {
    if (other == t.g || t.k % other != 0) continue;
    const int64_t wrong = t.k / other;
    Recipe r = declared_recipe(o);
    r.scale = [t, other, wrong](int64_t row, int64_t k) {
      return t.scale_at_stride(row, k / other, wrong);
    };
    r.zero = [t, other, wrong](int64_t row, int64_t k) {
      return t.zero_at_stride(row, k / other, wrong);
    };
    out.push_back({fmt::format("computed with G={} instead of {}: the group of k is k div {} and "
                               "rows of scales and zero points are K/{} = {} groups apart",
                               other, t.g, other, other, wrong),
                   std::move(r)});
  }
  return out;
}

std::vector<Variant> scaled_stride(const Observed& o) {
  std::vector<Variant> out;
  const Tables t(o);
  const auto add = [&](std::string_view says, int64_t wrong) {
    Recipe r = declared_recipe(o);
    r.scale = [t, wrong](int64_t row, int64_t k) { return t.scale_at_stride(row, k / t.g, wrong); };
    r.zero = [t, wrong](int64_t row, int64_t k) { return t.zero_at_stride(row, k / t.g, wrong); };
    out.push_back({fmt::format("the row stride of scales and zero points is {}: {} groups instead "
                               "of {}",
                               says, wrong, t.stride),
                   std::move(r)});
  };
  if (t.stride % 2 == 0) add("halved", t.stride / 2);
  add("doubled", t.stride * 2);
  return out;
}

std::vector<Variant> once_a_tile(const Observed& o) {
  std::vector<Variant> out;
  const int64_t g = o.x.wei->g;
  for (const int64_t tile : {64, 128, 256, 512, 1024}) {
    if (tile <= g || o.k() <= g) continue;
    out.push_back(
        {fmt::format("one group a K tile of {}: scale and zero point of the tile's first k serve "
                     "all of it, though G is {}",
                     tile, g),
         with_group(o, [tile, g](int64_t k) { return k / tile * tile / g; })});
  }
  return out;
}

std::vector<Variant> always_first(const Observed& o) {
  if (o.x.wei->groups() < 2) return {};
  return {{"every group uses the scale and the zero point of group 0",
           with_group(o, [](int64_t) { return int64_t{0}; })}};
}

std::vector<Variant> past_zero_points(const Observed& o) {
  const Tables t(o);
  std::vector<Variant> out;
  if (t.w->z.empty()) return out;
  for (const int64_t limit : {int64_t{128}, t.g, int64_t{64}, int64_t{32}, int64_t{256}}) {
    if (limit >= t.groups || (limit == t.g && !out.empty() && t.g == 128)) continue;
    Recipe r = declared_recipe(o);
    r.zero = [t, limit](int64_t row, int64_t k) {
      return k / t.g < limit ? t.zero(row, k / t.g) : 0.0;
    };
    out.push_back(
        {fmt::format("zero points past group {} read as 0: their table ends there", limit),
         std::move(r)});
  }
  return out;
}

std::vector<Variant> past_size(const Observed& o) {
  const Tables t(o);
  std::vector<Variant> out = past_zero_points(o);
  if (t.groups <= t.g) return out;
  Recipe gone = with_group(o, [t](int64_t k) { return k / t.g; });
  gone.scale = [t](int64_t row, int64_t k) { return k / t.g < t.g ? t.scale(row, k / t.g) : 0.0; };
  out.push_back({fmt::format("scales past group G = {} read as 0: the table's K extent is taken to "
                             "be G instead of K/G",
                             t.g),
                 std::move(gone)});
  out.push_back(
      {fmt::format("the group index is clamped to G - 1 = {} instead of K/G - 1", t.g - 1),
       with_group(o, [t](int64_t k) { return std::min(k / t.g, t.g - 1); })});
  return out;
}

std::vector<Variant> restarts(const Observed& o) {
  std::vector<Variant> out;
  const Tables t(o);
  for (const int64_t parts : {2, 4, 8}) {
    if (t.k % parts != 0 || t.groups < 2) continue;
    const int64_t part = t.k / parts;
    out.push_back({fmt::format("groups restart at each of {} parts of K: k = {} on uses group 0 "
                               "again",
                               parts, part),
                   with_group(o, [part, t](int64_t k) { return k % part / t.g; })});
  }
  return out;
}

std::vector<Variant> neighbour(const Observed& o) {
  const Tables t(o);
  if (t.groups < 2) return {};
  const auto shifted = [&](int64_t by) {
    return with_group(
        o, [t, by](int64_t k) { return std::clamp<int64_t>(k / t.g + by, 0, t.groups - 1); });
  };
  return {{"every group uses the next group's scale and zero point", shifted(1)},
          {"every group uses the previous group's scale and zero point", shifted(-1)}};
}

std::vector<Variant> advance(const Observed& o) {
  const Tables t(o);
  std::vector<Variant> out;
  for (const int64_t step : {512, 1024, 256, 2048}) {
    const int64_t each = step / t.g;
    if (each < 2 || o.k() <= step) continue;
    for (const auto& [times, by] : {std::pair{each, "the groups of a step once more"}, {2, "2"}}) {
      for (const bool zeros : {true, false}) {
        const auto group = [=](int64_t k) { return k / step * each * times + k % step / t.g; };
        const auto known = [zeros](double v) { return zeros && std::isnan(v) ? 0 : v; };
        Recipe r = declared_recipe(o);
        r.scale = [=](int64_t row, int64_t k) {
          return known(t.scale_at_stride(row, group(k), t.stride));
        };
        r.zero = [=](int64_t row, int64_t k) {
          return known(t.zero_at_stride(row, group(k), t.stride));
        };
        out.push_back({fmt::format("the group where a step of {} begins is multiplied by {}{}",
                                   step, by, zeros ? "; what lies outside reads as 0" : ""),
                       std::move(r)});
      }
      if (times == 2) break;
    }
  }
  return out;
}

constexpr Hypothesis kAll[]{
    {"group.size", "computed with another G: the group of k is k div that G", "B01 B09 B12",
     "two groups and more", other_size},
    {"group.first", "every group uses the scale and the zero point of group 0", "B05",
     "two groups and more", always_first},
    {"group.tile", "one scale and zero point a K tile that is wider than G", "B03", "K > G",
     once_a_tile},
    {"group.size_and_stride", "computed with another G, whose K/G is the row stride of scales too",
     "B01", "K a multiple of the other G", other_size_and_stride},
    {"group.stride", "the row stride of scales and zero points is halved or doubled", "B07",
     "always", scaled_stride},
    {"group.past_g", "groups from number G, or a fixed one, on read nothing, or the group before",
     "B04", "K/G > G; K/G > 32 with stored zero points", past_size},
    {"group.restart", "groups restart at a part of K", "B11", "two groups and more", restarts},
    {"group.neighbour", "every group uses its neighbour's scale and zero point", "B07",
     "two groups and more", neighbour},
    {"group.advance", "the group where a step along K begins is too far on", "B07",
     "K over 256, a step of more than one group", advance},
};

}  // namespace

std::span<const Hypothesis> group_hypotheses() { return kAll; }

}  // namespace w4::explain
