// Laws of powers of two, which no rounding sees as long as nothing is subnormal or overflows.
// Biases go along with what they are added to.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "verify/laws/laws.h"

namespace w4 {
namespace {

constexpr std::array kExponents{1, 2, 3, 5, -1, -2, -4};

// bits times 2^j; nothing where that is rounded or overflows.
std::optional<uint16_t> times(DType t, uint16_t bits, int j) {
  const double v = to_f64(t, bits), scaled = std::ldexp(v, j);
  const uint16_t out = from_f64(t, scaled);
  if (!std::isfinite(v)) return bits;
  if (to_f64(t, out) != scaled) return std::nullopt;
  return out;
}

bool all_times(DType t, std::vector<uint16_t>& all, int j) {
  for (uint16_t& v : all) {
    const auto scaled = times(t, v, j);
    if (!scaled) return false;
    v = *scaled;
  }
  return true;
}

bool any_subnormal(DType t, const std::vector<uint16_t>& all) {
  return std::ranges::any_of(all, [t](uint16_t v) { return !is_normal_or_zero(t, to_f64(t, v)); });
}

double least_of(DType t, const std::vector<uint16_t>& all) {
  double least = 0x1p127;
  for (const uint16_t v : all) {
    const double size = std::abs(to_f64(t, v));
    if (size > 0) least = std::min(least, size);
  }
  return least;
}

// Sums are multiples of the last places of what is multiplied: where those are normal fp32 numbers
// no partial sum is a subnormal one.
bool sums_stay_normal(const Side& side) {
  const DType t = side.x.wei->act;
  const double place = t == DType::f16 ? 0x1p-10 : 0x1p-7;
  const double act = least_of(t, side.x.a) * place, scale = least_of(t, side.x.wei->s) * place;
  return t == DType::f16 || (act >= 0x1p-126 && act * scale >= 0x1p-126);
}

// Tries the exponents in an order of the seed's; `make` gives the scaled call or nothing.
template <class F>
Result<Plan> scaled(const Given& g, std::string_view what, F&& make) {
  const auto start = static_cast<size_t>(g.below(0, kExponents.size()));
  for (size_t i = 0; i < kExponents.size(); ++i) {
    const int j = kExponents[(start + i) % kExponents.size()];
    Plan p{.first = g.side()};
    Side other = p.first;
    if (!make(other, j)) continue;
    if (!all_times(other.x.wei->act, other.x.bias, j)) continue;
    other.data = fmt::format("{} times 2^{}", what, j);
    if (other.x.has_bias()) other.data += ", and so the bias";
    p.exponent = j;
    if (!sums_stay_normal(p.first) || !sums_stay_normal(other)) {
      p.inexact = "partial sums may be subnormal";
    }
    p.more.push_back(std::move(other));
    return p;
  }
  return fail("no power of two scales {} without rounding or overflow", what);
}

}  // namespace

Result<Plan> plan_power_act(const Given& g) {
  if (g.problem().silu) return fail("silu(2x) is not 2 silu(x)");
  auto plan = scaled(g, "act", [&](Side& other, int j) {
    const DType t = other.x.wei->act;
    if (!all_times(t, other.x.moe ? other.x.moe->act : other.x.a, j)) return false;
    g.refresh(other.x, other.line.problem);
    return true;
  });
  if (!plan) return plan;
  const DType t = g.problem().act;
  if (any_subnormal(t, plan->first.x.a) || any_subnormal(t, plan->more[0].x.a)) {
    plan->inexact = "activations are subnormal";
  }
  return plan;
}

Result<Plan> plan_power_scale(const Given& g) {
  auto plan = scaled(g, "scale", [&](Side& other, int j) {
    Weights w = *other.x.wei;
    if (!all_times(w.act, w.s, j)) return false;
    set_weights(other, std::move(w), {});
    return true;
  });
  if (!plan) return plan;
  const w4_numerics& numerics = g.numerics();
  const Weights& w = *plan->first.x.wei;
  const DType t = w.act;
  const w4_dtype act = to_module(t);
  std::set<std::pair<uint16_t, uint8_t>> seen;
  for (size_t i = 0; i < w.s.size() && plan->inexact.empty(); ++i) {
    const uint8_t z = w.z.empty() ? uint8_t{8} : w.z[i];
    if (!seen.emplace(w.s[i], z).second) continue;
    const double s = to_f64(t, w.s[i]), scaled = std::ldexp(s, plan->exponent);
    for (int q = 0; q < 16; ++q) {
      const double one = numerics.weight(act, q, z, s), other = numerics.weight(act, q, z, scaled);
      if (other == std::ldexp(one, plan->exponent) && is_normal_or_zero(t, s) &&
          is_normal_or_zero(t, scaled) && is_normal_or_zero(t, one) &&
          is_normal_or_zero(t, other)) {
        continue;
      }
      plan->inexact = "scales or weights are subnormal, or weights overflow";
      break;
    }
  }
  return plan;
}

}  // namespace w4
