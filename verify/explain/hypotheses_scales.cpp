// Scales: which one a weight meets, and how its bits are read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verify/explain/hypothesis.h"
#include "verify/explain/tables.h"

namespace w4::explain {
namespace {

template <class F>
Recipe with_scale(const Observed& o, F scale) {
  const Tables t(o);
  Recipe r = declared_recipe(o);
  r.scale = [t, scale](int64_t row, int64_t k) -> double { return scale(t, row, k / t.g); };
  return r;
}

std::vector<Variant> neighbour(const Observed& o) {
  const auto by = [&](int64_t rows, int64_t groups) {
    return with_scale(o, [=](const Tables& t, int64_t row, int64_t c) {
      return t.scale(std::clamp<int64_t>(row + rows, 0, t.rows - 1),
                     std::clamp<int64_t>(c + groups, 0, t.groups - 1));
    });
  };
  std::vector<Variant> out{{"every channel uses the next channel's scales", by(1, 0)},
                           {"every channel uses the previous channel's scales", by(-1, 0)}};
  if (o.x.wei->groups() < 2 || o.x.wei->z.empty()) return out;  // group.neighbour says that
  out.push_back({"every group uses the next group's scale and its own zero point", by(0, 1)});
  out.push_back({"every group uses the previous group's scale and its own zero point", by(0, -1)});
  return out;
}

std::vector<Variant> first(const Observed& o) {
  std::vector<Variant> out{
      {"every channel uses the scales of channel 0",
       with_scale(o, [](const Tables& t, int64_t, int64_t c) { return t.scale(0, c); })}};
  if (o.x.wei->groups() < 2 || o.x.wei->z.empty()) return out;  // group.first says that
  out.push_back(
      {"every group uses the scale of group 0 and its own zero point",
       with_scale(o, [](const Tables& t, int64_t row, int64_t) { return t.scale(row, 0); })});
  return out;
}

std::vector<Variant> unpadded_rows(const Observed& o) {
  Tables t(o);
  if (t.stride == t.groups) return {};
  std::vector<Variant> out;
  for (const bool zeros : {true, false}) {
    t.pad = zeros ? 0 : kUnknown;
    const std::string_view pads = zeros ? "; pads hold zeros" : "";
    Recipe r = declared_recipe(o);
    r.scale = [t](int64_t row, int64_t k) { return t.scale_at_stride(row, k / t.g, t.groups); };
    out.push_back({fmt::format("the row stride of the scales is K/G = {} groups, the pad is "
                               "ignored{}",
                               t.groups, pads),
                   r});
    if (t.w->z.empty()) continue;
    r.zero = [t](int64_t row, int64_t k) { return t.zero_at_stride(row, k / t.g, t.groups); };
    out.push_back({fmt::format("the row stride of scales and zero points is K/G = {} groups, the "
                               "pad is ignored{}",
                               t.groups, pads),
                   std::move(r)});
  }
  return out;
}

std::vector<Variant> transposed(const Observed& o) {
  if (o.x.wei->groups() < 2) return {};
  return {{"scales lie transposed, groups first, and are read as if they did not",
           with_scale(o,
                      [](const Tables& t, int64_t row, int64_t c) {
                        const int64_t flat = row * t.groups + c;
                        return t.scale(flat % t.rows, flat / t.rows);
                      })},
          {"scales are read as if they lay transposed, groups first",
           with_scale(o, [](const Tables& t, int64_t row, int64_t c) {
             const int64_t flat = c * t.rows + row;
             return t.scale(flat / t.groups, flat % t.groups);
           })}};
}

std::vector<Variant> exponent(const Observed& o) {
  std::vector<Variant> out;
  for (const int by : {1, -1, 2, -2, 3, -3, 4, -4, 112, -112}) {
    // 112 is what the exponents of fp16 and bf16 differ by; fp16 has no room for it.
    if (std::abs(by) == 112 && o.x.wei->act == DType::f16) continue;
    out.push_back(
        {fmt::format("the exponent of every scale is off by {}: all products are times 2^{}", by,
                     by),
         with_scale(o, [by](const Tables& t, int64_t row, int64_t c) {
           return std::ldexp(t.scale(row, c), by);
         })});
  }
  return out;
}

std::vector<Variant> other_type(const Observed& o) {
  const bool half = o.x.wei->act == DType::f16;
  const DType other = half ? DType::bf16 : DType::f16;
  return {{fmt::format("the bits of the scales are read as {} instead of {}", half ? "bf16" : "f16",
                       half ? "f16" : "bf16"),
           with_scale(o, [other](const Tables& t, int64_t row, int64_t c) {
             return to_f64(other, t.w->s[static_cast<size_t>(row * t.groups + c)]);
           })}};
}

std::vector<Variant> not_once(const Observed& o) {
  return {
      {"scales are not applied", with_scale(o, [](const Tables&, int64_t, int64_t) { return 1; })},
      {"scales are applied twice", with_scale(o, [](const Tables& t, int64_t row, int64_t c) {
         return t.scale(row, c) * t.scale(row, c);
       })}};
}

constexpr Hypothesis kAll[]{
    {"scale.neighbour", "a neighbouring channel's or group's scale is used", "B05 B07 B60",
     "always", neighbour},
    {"scale.first", "one channel's or one group's scale is used for all", "B05", "always", first},
    {"scale.stride_without_pad", "the row stride of the scales ignores the pad", "B70",
     "spad= or pad=", unpadded_rows},
    {"scale.transposed", "scales are transposed once too often or too seldom", "B18 B27",
     "two groups and more", transposed},
    {"scale.exponent", "the exponent of every scale is off", "B76 B77", "always", exponent},
    {"scale.other_type", "fp16 and bf16 bits of the scales are taken for each other", "B76",
     "always", other_type},
    {"scale.not_once", "scales are not applied, or twice", "B21", "always", not_once},
};

}  // namespace

std::span<const Hypothesis> scale_hypotheses() { return kAll; }

}  // namespace w4::explain
