#include "campaign/capture/order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

namespace w4::capture {
namespace {

constexpr int kBig = 30;  // 2^30 beside 1: fp32 keeps no bit of it

uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }
float power(int e) { return std::ldexp(1.f, e); }

// Bits of a power of two, or of its negative, or of 0, in the type of the inputs.
uint32_t half_of(Kind k, float x) {
  if (k == Kind::bf16x2) return bits_of(x) >> 16;
  return std::bit_cast<uint16_t>(static_cast<_Float16>(x));
}

// A product as two factors that fp16 holds.
struct Factors {
  float a, b;
};
Factors factors(float product) {
  if (product == 0 || !std::isfinite(product)) return {product, 1.f};
  const int e = std::ilogb(product), half = e / 2;
  return {std::copysign(power(half), product), std::ldexp(std::fabs(product), -half)};
}

// Questions of one dot product, answered in one launch.
class DotSheet {
 public:
  explicit DotSheet(const Probe& p) : p_(p) {}
  size_t add(float p0, float p1, float c) { return add(factors(p0), factors(p1), c); }
  size_t add(Factors x, Factors y, float c) {
    operands_.a.push_back(half_of(p_.a, y.a) << 16 | half_of(p_.a, x.a));
    operands_.b.push_back(half_of(p_.b, y.b) << 16 | half_of(p_.b, x.b));
    operands_.c.push_back(bits_of(c));
    return operands_.c.size() - 1;
  }
  Result<std::vector<uint32_t>> answers(const Ask& ask) {
    while (operands_.c.size() % 32 != 0) add(0.f, 0.f, 0.f);
    return ask(operands_);
  }

 private:
  const Probe& p_;
  Operands operands_;
};

// How far below 1 the last term is that changes the result, of those that were asked from 2^-1 on;
// before them the question without it. A sum that cancels need not be 0.
std::string kept(const std::vector<uint32_t>& got, size_t without, int count) {
  int last = 0;
  while (last < count && got[without + 1 + static_cast<size_t>(last)] != got[without]) ++last;
  if (last == 0) return "not even 2^-1";
  if (last == count) return fmt::format("down to 2^-{} and maybe below", last);
  return fmt::format("down to 2^-{}", last);
}

Result<Facts> dot_facts(const Probe& p, const Ask& ask) {
  DotSheet sheet(p);
  const float big = power(kBig);
  const size_t survive = sheet.add(0.f, big, -big);
  sheet.add(1.f, big, -big);
  sheet.add(big, 0.f, -big), sheet.add(big, 1.f, -big);
  sheet.add(big, -big, 0.f), sheet.add(big, -big, 1.f);
  constexpr int kDown = 28, kDownC = 40;  // normal numbers of fp16; the accumulator has more
  const size_t products = sheet.add(1.f, 0.f, -1.f);
  for (int j = 1; j <= kDown; ++j) sheet.add(1.f, power(-j), -1.f);
  const size_t sums = sheet.add(1.f, -1.f, 0.f);
  for (int j = 1; j <= kDownC; ++j) sheet.add(1.f, -1.f, power(-j));
  const size_t below = sheet.add(1.f, power(-28), 0.f);
  sheet.add(1.f, -power(-28), 0.f), sheet.add(-1.f, power(-28), 0.f),
      sheet.add(-1.f, -power(-28), 0.f);
  const size_t accumulator = sheet.add(1.f, 0.f, power(-40));
  sheet.add(1.f, 0.f, -power(-40));
  const size_t zero = sheet.add(Factors{-1.f, 0.f}, Factors{1.f, 1.f}, 0.f);
  const size_t tie = sheet.add(1.f, power(-24), 0.f);
  sheet.add(1.f + power(-1), power(-24), power(-30));
  const size_t subnormal = sheet.add(0.f, 0.f, std::bit_cast<float>(1u));
  const float least = p.a == Kind::bf16x2 ? std::bit_cast<float>(0x00010000u) : power(-24);
  sheet.add(Factors{least, p.a == Kind::bf16x2 ? power(100) : 1.f}, Factors{0.f, 0.f}, 0.f);
  const auto got = sheet.answers(ask);
  if (!got) return std::unexpected(got.error());
  const auto& r = *got;
  const auto yes = [&](size_t i) { return r[i] != r[i + 1] ? "counts" : "is lost"; };
  return Facts{
      {"1 beside 2^30 and -2^30", fmt::format("product 0 {}, product 1 {}, the accumulator {}",
                                              yes(survive), yes(survive + 2), yes(survive + 4))},
      {"kept of product 1 beside 1 and -1", kept(r, products, kDown)},
      {"kept of the accumulator beside 1 and -1", kept(r, sums, kDownC)},
      {"a product below the unit",
       fmt::format(
           "1 + 2^-28 is {:08x}, 1 - 2^-28 is {:08x}, -1 + 2^-28 is {:08x}, -1 - 2^-28 is {:08x}",
           r[below], r[below + 1], r[below + 2], r[below + 3])},
      {"an accumulator below the unit",
       fmt::format("1 + 2^-40 is {:08x}, 1 - 2^-40 is {:08x}", r[accumulator], r[accumulator + 1])},
      {"a product of -0 beside 1", fmt::format("{:08x}", r[zero])},
      {"a tie, and one with a bit far below",
       fmt::format("1 + 2^-24 is {:08x}, 1.5 + 2^-24 + 2^-30 is {:08x}", r[tie], r[tie + 1])},
      {"subnormals",
       fmt::format("an accumulator 00000001 comes back as {:08x}, the least operand of "
                   "the type times a power of two gives {:08x}",
                   r[subnormal], r[subnormal + 1])}};
}

// Tiles of which one element each matters: row 0, column 0.
class TileSheet {
 public:
  TileSheet(const Probe& p, int family) : p_(p), family_(family) {}

  // sum over k of products[k], onto c.
  size_t add(const std::array<float, 16>& products, float c) {
    const auto in = static_cast<size_t>(p_.registers_in(family_)) * 32;
    const auto out = static_cast<size_t>(p_.registers_out(family_)) * 32;
    operands_.a.resize(operands_.a.size() + in), operands_.b.resize(operands_.a.size());
    operands_.c.resize(operands_.c.size() + out);
    for (int k = 0; k < 16; ++k) {
      const Place at = place_of(p_, family_, 0, k);
      const size_t word = tiles_ * in + static_cast<size_t>(at.reg * 32 + at.lane);
      const Factors f = factors(products[static_cast<size_t>(k)]);
      for (size_t copy = 0; copy < (family_ == 11 ? 2u : 1u); ++copy) {
        operands_.a[word + 16 * copy] |= half_of(p_.a, f.a) << at.shift;
        operands_.b[word + 16 * copy] |= half_of(p_.b, f.b) << at.shift;
      }
    }
    operands_.c[tiles_ * out] = bits_of(c);
    return tiles_++;
  }
  Result<std::vector<uint32_t>> answers(const Ask& ask) const {
    auto got = ask(operands_);
    if (!got) return got;
    std::vector<uint32_t> first;
    const size_t out = static_cast<size_t>(p_.registers_out(family_)) * 32;
    for (size_t t = 0; t < tiles_; ++t) first.push_back((*got)[t * out]);
    return first;
  }

 private:
  const Probe& p_;
  int family_;
  size_t tiles_ = 0;
  Operands operands_;
};

std::array<float, 16> at(std::initializer_list<std::pair<int, float>> products) {
  std::array<float, 16> out{};
  for (const auto& [k, x] : products) out[static_cast<size_t>(k)] = x;
  return out;
}

// "0 1, then 2 3, …": places of k by the number of pairs (2p, 2p+1) that are summed up before them,
// from 17 questions a pair: without a 1, then with it at each k.
std::string in_order(const std::vector<uint32_t>& r, size_t first) {
  std::map<int, std::vector<int>> steps;
  for (int k = 0; k < 16; ++k) {
    int before = 0;
    for (int pair = 0; pair < 8; ++pair) {
      const size_t without = first + static_cast<size_t>(pair * 17);
      before += r[without + 1 + static_cast<size_t>(k)] != r[without];
    }
    steps[before].push_back(k);
  }
  if (steps.size() == 1)
    return steps.begin()->first == 0 ? "no product counts beside any pair that cancels"
                                     : "every product counts beside every pair that cancels";
  std::vector<std::string> texts;
  for (const auto& [before, ks] : steps) texts.push_back(fmt::format("{}", fmt::join(ks, " ")));
  return fmt::format("k {}", fmt::join(texts, ", then "));
}

Result<Facts> matrix_facts(const Probe& p, int family, const Ask& ask) {
  TileSheet sheet(p, family);
  const float big = power(kBig);
  // 1 at k beside 2^30 and -2^30 at a pair: it counts where the pair has cancelled before.
  const size_t order = 0;
  for (int pair = 0; pair < 8; ++pair) {
    sheet.add(at({{2 * pair, big}, {2 * pair + 1, -big}}), 0.f);
    for (int k = 0; k < 16; ++k) {
      auto products = at({{2 * pair, big}, {2 * pair + 1, -big}});
      if (k / 2 != pair) products[static_cast<size_t>(k)] = 1.f;
      sheet.add(products, 0.f);
    }
  }
  const size_t accumulator = sheet.add(at({{0, big}, {1, -big}}), 0.f);
  sheet.add(at({{0, big}, {1, -big}}), 1.f);
  sheet.add(at({{14, big}, {15, -big}}), 0.f), sheet.add(at({{14, big}, {15, -big}}), 1.f);
  const size_t inside = sheet.add(at({{0, big}}), -big);
  sheet.add(at({{0, big}, {1, 1.f}}), -big);
  sheet.add(at({{1, big}}), -big), sheet.add(at({{0, 1.f}, {1, big}}), -big);
  constexpr int kDown = 28;
  const size_t beside = sheet.add(at({{0, 1.f}}), -1.f);
  for (int j = 1; j <= kDown; ++j) sheet.add(at({{0, 1.f}, {1, power(-j)}}), -1.f);
  const size_t below = sheet.add(at({{0, 1.f}, {1, power(-28)}}), 0.f);
  sheet.add(at({{0, 1.f}, {1, -power(-28)}}), 0.f);
  const size_t zero = sheet.add(at({{0, -0.f}, {1, 1.f}}), 0.f);
  const auto got = sheet.answers(ask);
  if (!got) return std::unexpected(got.error());
  const auto& r = *got;
  const auto yes = [&](size_t i) { return r[i] != r[i + 1] ? "counts" : "is lost"; };
  return Facts{{"order of the products", in_order(r, order)},
               {"an accumulator of 1",
                fmt::format("{} beside a pair that cancels at k 0 1, {} beside one at k 14 15",
                            yes(accumulator), yes(accumulator + 2))},
               {"in the first pair, onto -2^30",
                fmt::format("1 at k 1 {} beside 2^30 at k 0, 1 at k 0 {} beside 2^30 at k 1",
                            yes(inside), yes(inside + 2))},
               {"kept of k 1 beside 1 at k 0 and an accumulator of -1", kept(r, beside, kDown)},
               {"a product below the unit",
                fmt::format("1 + 2^-28 is {:08x}, 1 - 2^-28 is {:08x}", r[below], r[below + 1])},
               {"a product of -0 beside 1", fmt::format("{:08x}", r[zero])}};
}

}  // namespace

bool has_order(const Probe& p) {
  const bool dot = p.instruction.starts_with("v_dot2") && p.form.empty();
  const bool matrix = p.matrix && p.a != Kind::word && p.form.empty();
  return dot || matrix;
}

Result<Facts> facts_of(const Probe& p, int family, const Ask& ask) {
  if (!has_order(p) || p.c != Kind::f32) return Facts{};
  return p.matrix ? matrix_facts(p, family, ask) : dot_facts(p, ask);
}

Result<OrderRecord> order_of(const Probe& p, Bench& device, Bench& emulator,
                             const Operands& operands, const std::vector<uint32_t>& results) {
  OrderRecord out;
  out.probe = p.name, out.instruction = p.instruction;
  auto facts = facts_of(p, device.family(), [&](const Operands& o) { return device.run(p, o); });
  if (!facts) return std::unexpected(facts.error());
  out.facts = std::move(*facts);
  for (const char* name : {"ieee", "gfx1151", "gfx1201"}) {
    Model m{.name = name, .of = results.size()};
    const auto model = emulator.run(p, operands, name);
    if (!model) return std::unexpected(model.error());
    for (size_t i = 0; i < results.size(); ++i) {
      if (same_result(p.result, results[i], (*model)[i])) {
        ++m.agrees;
      } else if (m.first.empty()) {
        m.first = fmt::format("{}: {}, the model {}", describe(p, device.family(), operands, i),
                              show(p.result, results[i]), show(p.result, (*model)[i]));
      }
    }
    const auto its =
        facts_of(p, device.family(), [&](const Operands& o) { return emulator.run(p, o, name); });
    if (!its) return std::unexpected(its.error());
    for (size_t i = 0; i < its->size(); ++i) {
      if ((*its)[i].second != out.facts[i].second)
        m.facts.push_back(fmt::format("{}: {}", (*its)[i].first, (*its)[i].second));
    }
    out.models.push_back(std::move(m));
  }
  return out;
}

}  // namespace w4::capture
