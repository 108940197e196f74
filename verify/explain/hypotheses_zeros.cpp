// Zero points: how they are encoded, which one a weight meets.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "verify/explain/hypothesis.h"
#include "verify/explain/tables.h"

namespace w4::explain {
namespace {

bool symmetric(const Observed& o) { return o.x.wei->z.empty(); }

// The zero point of weights row r and group c.
template <class F>
Recipe with_zero(const Observed& o, F zero) {
  Recipe r = declared_recipe(o);
  r.zero = [zero, g = o.x.wei->g](int64_t row, int64_t k) -> double { return zero(row, k / g); };
  return r;
}

// Half `i` of the packed words, word `i` of the halves: the tensors of contract.md 5 as memory.
double half_of_words(const Tables& t, int64_t i) {
  const int64_t word = i / 2, row = word / t.stride, c = word % t.stride;
  if (row * 8 + 7 >= t.rows || c >= t.groups) return kUnknown;
  uint32_t bits = 0;
  for (int64_t j = 0; j < 8; ++j) {
    bits |= static_cast<uint32_t>(t.zero(row * 8 + j, c)) << (4 * j);
  }
  return to_f64(t.w->act, static_cast<uint16_t>(i % 2 == 0 ? bits : bits >> 16));
}
uint32_t half(const Tables& t, int64_t i, bool& known) {
  const double z = t.zero(i / t.stride, i % t.stride);
  known = known && z == z;
  return z == z ? from_f64(t.w->act, z) : 0u;
}

std::vector<Variant> halves_as_words(const Observed& o) {
  if (o.line.problem.zp != ZpMode::unpacked) return {};
  const Tables t(o);
  std::vector<Variant> out;
  for (const bool zeros : {false, true}) {
    out.push_back(
        {fmt::format("zero points stored as 16-bit numbers [N,K/G] are read as packed words "
                     "[N/8,K/G]{}",
                     zeros ? "; what lies outside reads as 0" : ""),
         with_zero(o, [t, zeros](int64_t row, int64_t c) {
           const int64_t word = row / 8 * t.stride + c;
           bool known = true;
           const uint32_t bits = half(t, 2 * word, known) | half(t, 2 * word + 1, known) << 16;
           return known || zeros ? static_cast<double>(bits >> (4 * (row % 8)) & 15) : kUnknown;
         })});
  }
  return out;
}

// The term of the zero point stands outside the product with the scale; codes may carry the offset
// of the trick that makes numbers of them.
std::vector<Variant> unscaled(const Observed& o) {
  std::vector<Variant> out;
  for (const int offset : {0, o.x.wei->act == DType::f16 ? 1024 : 128}) {
    Recipe r = declared_recipe(o);
    r.weight = [offset](double q, double z, double s) { return (q + offset) * s - (z + offset); };
    out.push_back(
        {fmt::format("the zero point is taken off after the scale: a weight is {}",
                     offset == 0 ? "q*s - z" : fmt::format("(q + {0})*s - (z + {0})", offset)),
         std::move(r)});
  }
  return out;
}

std::vector<Variant> words_as_halves(const Observed& o) {
  if (o.line.problem.zp != ZpMode::packed) return {};
  const Tables t(o);
  Recipe r =
      with_zero(o, [t](int64_t row, int64_t c) { return half_of_words(t, row * t.stride + c); });
  // Such numbers are seldom whole: q - z is rounded where it is taken in the activation type.
  if (t.w->act == DType::f16) {
    r.weight = [right = r.weight](double q, double z, double s) {
      return right(to_f64(DType::f16, from_f64(DType::f16, q - z)), 0, s);
    };
  }
  return {{"zero points stored as packed words [N/8,K/G] are read as 16-bit numbers [N,K/G]",
           std::move(r)}};
}

std::vector<Variant> octet_order(const Observed& o) {
  if (symmetric(o)) return {};
  const Tables t(o);
  std::vector<Variant> out;
  const auto add = [&](std::string says, const std::array<int, 8>& order) {
    out.push_back({std::move(says), with_zero(o, [t, order](int64_t row, int64_t c) {
                     return t.zero(in_octet(row, order), c);
                   })});
  };
  add("zero points lie in AWQ order 0 2 4 6 1 3 5 7 and are read in sequence", kShuffledOrder);
  add("zero points lie in sequence and are read in AWQ order 0 2 4 6 1 3 5 7", kShuffledSlot);
  add("zero points of an octet are read from the other end", kReversed);
  add("zero points of each two neighbouring channels are swapped", kPairsSwapped);
  return out;
}

std::vector<Variant> off_by_one(const Observed& o) {
  const Tables t(o);
  if (symmetric(o)) {
    std::vector<Variant> out;
    for (const int constant : {7, 9}) {
      out.push_back(
          {fmt::format("symmetric weights are computed with zero point {} instead of 8", constant),
           with_zero(o, [constant](int64_t, int64_t) { return constant; })});
    }
    return out;
  }
  const auto changed = [&](double (*f)(double)) {
    return with_zero(o, [t, f](int64_t row, int64_t c) { return f(t.zero(row, c)); });
  };
  return {
      {"1 is added to every zero point", changed([](double z) { return z + 1; })},
      {"1 is subtracted from every zero point", changed([](double z) { return z - 1; })},
      {"1 is added to every zero point modulo 16",
       changed([](double z) -> double { return z == 15 ? 0 : z + 1; })},
      {"1 is subtracted from every zero point modulo 16",
       changed([](double z) -> double { return z == 0 ? 15 : z - 1; })},
      {"a zero point of 0 is taken for 16: it is stored as z - 1 modulo 16, the 1 is added again "
       "without the modulo",
       changed([](double z) -> double { return z == 0 ? 16 : z; })},
      {"a zero point of 0 is packed as 16, which sets the lowest bit of the next channel's",
       with_zero(o,
                 [t](int64_t row, int64_t c) -> double {
                   const double z = t.zero(row, c);
                   const bool set = row % 8 > 0 && t.zero(row - 1, c) == 0;
                   return set && std::fmod(z, 2) == 0 ? z + 1 : z;
                 })},
  };
}

std::vector<Variant> is_zero(const Observed& o) {
  std::vector<Variant> out{{"the zero point is 0 everywhere, as if codes were unsigned weights",
                            with_zero(o, [](int64_t, int64_t) { return 0; })}};
  if (o.line.problem.zp != ZpMode::unpacked) return out;
  const Tables t(o);
  out.push_back(
      {"zero points are written as 16-bit integers and read as numbers of the activation "
       "type, of which 0 to 15 are next to nothing",
       with_zero(o, [t](int64_t row, int64_t c) {
         const double z = t.zero(row, c);
         return std::isnan(z) ? z : to_f64(t.w->act, static_cast<uint16_t>(z));
       })});
  return out;
}

std::vector<Variant> ignored(const Observed& o) {
  if (symmetric(o)) return {};
  return {{"stored zero points are ignored: 8 everywhere",
           with_zero(o, [](int64_t, int64_t) { return 8; })}};
}

std::vector<Variant> transposed(const Observed& o) {
  if (symmetric(o)) return {};
  const Tables t(o);
  const int64_t tall = t.packed ? t.rows / 8 : t.rows, each = t.packed ? 8 : 1;
  const auto at = [t, each](int64_t row, int64_t c, int64_t table_row) {
    return t.zero(table_row * each + row % each, c);
  };
  return {{"zero points lie transposed, groups first, and are read as if they were not",
           with_zero(o,
                     [=](int64_t row, int64_t c) {
                       const int64_t flat = row / each * t.groups + c;
                       return at(row, flat / tall, flat % tall);
                     })},
          {"zero points are read as if they lay transposed, groups first",
           with_zero(o, [=](int64_t row, int64_t c) {
             const int64_t flat = c * tall + row / each;
             return at(row, flat % t.groups, flat / t.groups);
           })}};
}

std::vector<Variant> first_of_octet(const Observed& o) {
  if (symmetric(o)) return {};
  const Tables t(o);
  return {{"all eight channels of an octet use the zero point of its first",
           with_zero(o, [t](int64_t row, int64_t c) { return t.zero(row / 8 * 8, c); })}};
}

std::vector<Variant> first_group(const Observed& o) {
  const Tables t(o);
  if (symmetric(o) || t.groups < 2) return {};
  std::vector<Variant> out{{"all groups use the zero point of group 0; their scales are their own",
                            with_zero(o, [t](int64_t row, int64_t) { return t.zero(row, 0); })}};
  for (const int64_t tile : {64, 128, 256, 512, 1024}) {
    if (tile <= t.g || t.k <= tile) continue;
    out.push_back({fmt::format("one zero point a K tile of {}: the first group's serves all of it; "
                               "scales are their own",
                               tile),
                   with_zero(o, [t, tile](int64_t row, int64_t c) {
                     return t.zero(row, c * t.g / tile * tile / t.g);
                   })});
  }
  return out;
}

std::vector<Variant> neighbour(const Observed& o) {
  if (symmetric(o)) return {};
  const Tables t(o);
  const auto by = [&](int64_t rows, int64_t groups) {
    return with_zero(o, [=](int64_t row, int64_t c) {
      return t.zero(std::clamp<int64_t>(row + rows, 0, t.rows - 1),
                    std::clamp<int64_t>(c + groups, 0, t.groups - 1));
    });
  };
  std::vector<Variant> out{{"every channel uses the next channel's zero points", by(1, 0)},
                           {"every channel uses the previous channel's zero points", by(-1, 0)}};
  if (t.groups < 2) return out;
  out.push_back({"every group uses the next group's zero point and its own scale", by(0, 1)});
  out.push_back({"every group uses the previous group's zero point and its own scale", by(0, -1)});
  return out;
}

std::vector<Variant> unpadded_rows(const Observed& o) {
  Tables t(o);
  if (symmetric(o) || t.stride == t.groups) return {};
  std::vector<Variant> out;
  for (const bool zeros : {true, false}) {
    t.pad = zeros ? 0 : kUnknown;
    out.push_back(
        {fmt::format("the row stride of the zero points is K/G, its pad is ignored; "
                     "scales have it{}",
                     zeros ? "; pads hold zeros" : ""),
         with_zero(o, [t](int64_t row, int64_t c) { return t.zero_at_stride(row, c, t.groups); })});
  }
  return out;
}

constexpr Hypothesis kAll[]{
    {"zp.halves_read_as_words", "zero points as 16-bit numbers are read as packed words", "B17",
     "zp=unpacked", halves_as_words},
    {"zp.words_read_as_halves", "packed zero points are read as 16-bit numbers", "B16 B17",
     "zp=packed", words_as_halves},
    {"zp.unscaled", "the zero point is taken off after the scale", "B21", "always", unscaled},
    {"zp.ignored", "stored zero points are ignored", "B19", "zp=packed, unpacked", ignored},
    {"zp.none", "the zero point is 0 or next to nothing, not 8 or what is stored", "B20 K6",
     "always", is_zero},
    {"zp.off_by_one", "every zero point is one too large or too small", "B13 B14 B19", "always",
     off_by_one},
    {"zp.octet_order", "the eight zero points of an octet of channels are in another order",
     "B15 B22", "zp=packed, unpacked", octet_order},
    {"zp.first_of_octet", "an octet of channels uses one zero point", "B15", "zp=packed, unpacked",
     first_of_octet},
    {"zp.first_group", "zero points are fetched once for several groups", "B06",
     "zp=packed, unpacked; two groups and more", first_group},
    {"zp.transposed", "zero points are transposed once too often or too seldom", "B18",
     "zp=packed, unpacked", transposed},
    {"zp.neighbour", "a neighbouring channel's or group's zero point is used", "B60",
     "zp=packed, unpacked", neighbour},
    {"zp.stride_without_pad", "the row stride of the zero points ignores the pad", "B70",
     "spad= or pad=", unpadded_rows},
};

}  // namespace

std::span<const Hypothesis> zero_hypotheses() { return kAll; }

}  // namespace w4::explain
