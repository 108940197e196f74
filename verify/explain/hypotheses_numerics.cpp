// Roundings that were not declared. Fills whose sums are exact cannot show them.
#include <fmt/format.h>

#include <cmath>

#include "verify/explain/hypothesis.h"
#include "verify/explain/tables.h"

namespace w4::explain {
namespace {

double rounded(DType t, double v) { return to_f64(t, from_f64(t, v)); }

// `v` cut to T.
uint16_t cut(DType t, double v) {
  const uint16_t y = from_f64(t, v);
  return std::abs(to_f64(t, y)) > std::abs(v) ? static_cast<uint16_t>(y - 1) : y;
}

double fp32(double v) { return static_cast<double>(static_cast<float>(v)); }

template <class F>
Variant stored(const Observed& o, std::string says, F store) {
  Recipe r = declared_recipe(o);
  r.store = [store, t = o.x.wei->act](double acc, double bias) -> uint16_t {
    return store(t, acc, bias);
  };
  return {std::move(says), std::move(r)};
}

std::vector<Variant> truncates(const Observed& o) {
  std::vector<Variant> out{
      stored(o, "the stored value is cut off instead of rounded",
             [](DType t, double acc, double bias) { return cut(t, fp32(acc + bias)); })};
  if (!o.x.has_bias()) return out;
  out.push_back(stored(
      o, "the sum is cut off to 16 bits instead of rounded, then the bias added",
      [](DType t, double acc, double bias) { return from_f64(t, to_f64(t, cut(t, acc)) + bias); }));
  return out;
}

std::vector<Variant> bias_order(const Observed& o) {
  if (!o.x.has_bias()) return {};
  return {
      stored(o, "the sum is rounded to 16 bits before the bias is added, and again after",
             [](DType t, double acc, double bias) { return from_f64(t, rounded(t, acc) + bias); }),
      stored(o, "the bias is added before the only rounding",
             [](DType t, double acc, double bias) { return from_f64(t, fp32(acc + bias)); })};
}

using Rounds = ShortSums::Rounds;

std::vector<Variant> short_sums(const Observed& o) {
  std::vector<Variant> out;
  const auto add = [&](std::string says, const ShortSums& how) {
    out.push_back({std::move(says), declared_recipe(o)});
    out.back().recipe.short_sums = how;
  };
  for (const auto& [lanes, chunk] :
       {std::pair{32, 16}, {32, 32}, {32, 8}, {1, 16}, {1, 32}, {1, 64}, {1, 128}}) {
    add(fmt::format("the accumulator has 16 bits: it is rounded after every {} products{}", chunk,
                    lanes > 1 ? " of a lane" : ""),
        {.chunk = chunk, .lanes = lanes});
  }
  for (const int64_t chunk : {16, 32, 8}) {
    add(fmt::format("the sums of the lanes ({} k each at a time) are rounded to 16 bits before "
                    "they are added up",
                    chunk),
        {.chunk = chunk, .lanes = 32, .rounds = Rounds::at_the_end});
    for (const int sums : {2, 1}) {
      add(fmt::format("the products of {} k are summed in 16 bits{}, before the scale", chunk,
                      sums > 1 ? ", those of even and of odd k apart" : ""),
          {.chunk = chunk, .rounds = Rounds::never, .sums_of_chunk = sums});
    }
  }
  for (const int64_t parts : {2, 4, 8}) {
    const int64_t part = o.k() / parts / 64 * 64;
    if (part == 0) continue;
    const auto says = [&](std::string_view what) {
      return fmt::format("K is split in {} parts, whose sums {}", parts, what);
    };
    add(says("are rounded to 16 bits before they are added up"),
        {.chunk = part, .chunks = parts, .lanes = parts, .rounds = Rounds::at_the_end});
    for (const bool backwards : {false, true}) {
      add(says(fmt::format("are added to the output in 16 bits, the {} part first",
                           backwards ? "last" : "first")),
          {.chunk = part, .chunks = parts, .backwards = backwards});
    }
  }
  return out;
}

std::vector<Variant> weights(const Observed& o) {
  const DType t = o.x.wei->act;
  const auto with = [&](auto weight) {
    Recipe r = declared_recipe(o);
    r.weight = [weight, t](double q, double z, double s) -> double { return weight(t, q, z, s); };
    return r;
  };
  return {{"each weight (q - z)*s is rounded to 16 bits",
           with([](DType d, double q, double z, double s) { return rounded(d, (q - z) * s); })},
          {"q*s and z*s are rounded to 16 bits, and their difference again",
           with([](DType d, double q, double z, double s) {
             return rounded(d, rounded(d, q * s) - rounded(d, z * s));
           })},
          {"z*s is rounded to 16 bits, q*s is not, and their difference is: one fused step",
           with([](DType d, double q, double z, double s) {
             return rounded(d, q * s - rounded(d, z * s));
           })},
          {"z*s is made of 8*s and (z - 8)*s, each rounded to 16 bits, and their rounded sum",
           with([](DType d, double q, double z, double s) {
             const double offset = rounded(d, rounded(d, 8 * s) + rounded(d, (z - 8) * s));
             return rounded(d, rounded(d, q * s) - offset);
           })},
          {"weights are not rounded: the scale is applied to a sum",
           with([](DType, double q, double z, double s) { return (q - z) * s; })}};
}

std::vector<Variant> through_bf16(const Observed& o) {
  if (o.x.wei->act != DType::f16) return {};
  const auto act = [](Recipe& r) {
    r.act = [right = r.act](int64_t m, int64_t k) { return rounded(DType::bf16, right(m, k)); };
  };
  const auto scale = [](Recipe& r) {
    r.scale = [right = r.scale](int64_t row, int64_t k) {
      return rounded(DType::bf16, right(row, k));
    };
  };
  const auto weight = [](Recipe& r) {
    r.weight = [right = r.weight](double q, double z, double s) {
      return rounded(DType::bf16, right(q, z, s));
    };
  };
  std::vector<Variant> out;
  const auto add = [&](std::string says, auto... changes) {
    Recipe r = declared_recipe(o);
    (changes(r), ...);
    out.push_back({std::move(says), std::move(r)});
  };
  add("fp16 activations pass through bf16", act);
  add("fp16 scales pass through bf16", scale);
  add("fp16 weights pass through bf16", weight);
  add("fp16 activations and weights pass through bf16", act, weight);
  add("fp16 activations and scales pass through bf16", act, scale);
  return out;
}

std::vector<Variant> flushed(const Observed& o) {
  const double least = o.x.wei->act == DType::f16 ? 0x1p-14 : 0x1p-126;
  const auto flush = [least](double v) { return std::abs(v) < least ? 0 : v; };
  Recipe s = declared_recipe(o), a = declared_recipe(o);
  s.scale = [flush, right = s.scale](int64_t r, int64_t k) { return flush(right(r, k)); };
  a.act = [flush, right = a.act](int64_t m, int64_t k) { return flush(right(m, k)); };
  std::vector<Variant> out{{"subnormal scales are flushed to zero", std::move(s)},
                           {"subnormal activations are flushed to zero", std::move(a)}};
  for (const int64_t chunk : {16, 32, 8}) {
    for (const bool half : {true, false}) {
      if (!half && o.x.wei->act == DType::f16) continue;
      out.push_back({fmt::format("sums of {} products that are no normal number of {} are flushed "
                                 "to zero, before the scale",
                                 chunk, half ? "fp16" : "bf16"),
                     declared_recipe(o)});
      out.back().recipe.short_sums = {
          .chunk = chunk, .rounds = Rounds::never, .flush = half ? 0x1p-14 : least};
    }
  }
  return out;
}

constexpr Hypothesis kAll[]{
    {"num.store_truncates", "the store cuts off instead of rounding", "B78", "fills that round",
     truncates},
    {"num.bias_order", "the bias meets a sum that is rounded, or one that is not", "B79",
     "bias=, fills that round", bias_order},
    {"num.short_sums", "sums of a chunk, of a lane or of a part of K have 16 bits", "B74 B75 B81",
     "fills that round", short_sums},
    {"num.weights", "weights are rounded otherwise than declared", "B79", "fills that round",
     weights},
    {"num.through_bf16", "fp16 values pass through bf16", "B79", "act=f16, fills that round",
     through_bf16},
    {"num.flushed", "subnormal numbers or sums are flushed", "B77 B80", "fill=extreme", flushed},
};

}  // namespace

std::span<const Hypothesis> numeric_hypotheses() { return kAll; }

}  // namespace w4::explain
