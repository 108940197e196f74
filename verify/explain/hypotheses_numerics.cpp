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

std::vector<Variant> short_sums(const Observed& o) {
  std::vector<Variant> out;
  for (const auto& [lanes, chunk] :
       {std::pair{32, 16}, {32, 32}, {32, 8}, {1, 16}, {1, 32}, {1, 64}, {1, 128}}) {
    Recipe r = declared_recipe(o);
    r.round_lanes = lanes, r.round_chunk = chunk;
    out.push_back(
        {fmt::format("the accumulator has 16 bits: it is rounded after every {} products{}", chunk,
                     lanes > 1 ? " of a lane" : ""),
         std::move(r)});
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
          {"weights are not rounded: the scale is applied to a sum",
           with([](DType, double q, double z, double s) { return (q - z) * s; })}};
}

std::vector<Variant> act_through_bf16(const Observed& o) {
  if (o.x.wei->act != DType::f16) return {};
  Recipe r = declared_recipe(o);
  r.act = [right = r.act](int64_t m, int64_t k) { return rounded(DType::bf16, right(m, k)); };
  Recipe s = declared_recipe(o);
  s.scale = [right = s.scale](int64_t m, int64_t k) { return rounded(DType::bf16, right(m, k)); };
  return {{"fp16 activations pass through bf16", std::move(r)},
          {"fp16 scales pass through bf16", std::move(s)}};
}

std::vector<Variant> flushed(const Observed& o) {
  const double least = o.x.wei->act == DType::f16 ? 0x1p-14 : 0x1p-126;
  const auto flush = [least](double v) { return std::abs(v) < least ? 0 : v; };
  Recipe s = declared_recipe(o), a = declared_recipe(o);
  s.scale = [flush, right = s.scale](int64_t r, int64_t k) { return flush(right(r, k)); };
  a.act = [flush, right = a.act](int64_t m, int64_t k) { return flush(right(m, k)); };
  return {{"subnormal scales are flushed to zero", std::move(s)},
          {"subnormal activations are flushed to zero", std::move(a)}};
}

constexpr Hypothesis kAll[]{
    {"num.store_truncates", "the store cuts off instead of rounding", "B78", "fills that round",
     truncates},
    {"num.bias_order", "the bias meets a sum that is rounded, or one that is not", "B79",
     "bias=, fills that round", bias_order},
    {"num.short_sums", "the accumulator has 16 bits", "B74 B75", "fills that round", short_sums},
    {"num.weights", "weights are rounded otherwise than declared", "B79", "fills that round",
     weights},
    {"num.through_bf16", "fp16 values pass through bf16", "B79", "act=f16, fills that round",
     act_through_bf16},
    {"num.flushed", "subnormal numbers are flushed", "B77 B80", "fill=extreme", flushed},
};

}  // namespace

std::span<const Hypothesis> numeric_hypotheses() { return kAll; }

}  // namespace w4::explain
