// Where activations are NaN, infinite or minus zero (fill special), or subnormal and the largest
// there are, with such scales (extreme), every output has the class that IEEE arithmetic gives it:
// NaN, +Inf, -Inf or finite, and finite ones lie in their intervals. Exceptions only where a kernel
// declares them (oracles.md 3).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>
#include <map>

#include "core/contract.h"
#include "props/run_props.h"
#include "verify/trial.h"

namespace w4 {
namespace {

enum class Class : uint8_t { finite, plus_inf, minus_inf, nan };
constexpr std::array<const char*, 4> kClassNames{"finite", "+Inf", "-Inf", "NaN"};

Class class_of(double v) {
  if (std::isnan(v)) return Class::nan;
  if (std::isinf(v)) return v > 0 ? Class::plus_inf : Class::minus_inf;
  return Class::finite;
}

// The class of an element by the rules of addition alone, whatever is declared: NaN where a term is
// NaN or both infinities meet; nullopt where every term is finite, and the interval decides.
std::optional<Class> class_by_hand(const Arrays& x, int64_t m, int64_t n) {
  const int64_t k = x.wei->k;
  const int64_t expert = x.moe ? x.moe->expert[static_cast<size_t>(m)] : 0;
  const int64_t row = x.moe ? expert * x.wei->n + n : n;
  bool plus = false, minus = false;
  for (int64_t i = 0; i < k; ++i) {
    const double a = to_f64(x.wei->act, x.a[static_cast<size_t>(m * k + i)]);
    if (std::isfinite(a)) continue;
    const double w = (x.wei->q[static_cast<size_t>(row * k + i)] - x.wei->zero(row, i / x.wei->g)) *
                     x.wei->scale(row, i / x.wei->g);
    const double term = a * w;
    if (std::isnan(term)) return Class::nan;
    (term > 0 ? plus : minus) = true;
  }
  if (plus && minus) return Class::nan;
  if (plus) return Class::plus_inf;
  if (minus) return Class::minus_inf;
  return {};
}

// Whether the case runs a kernel that multiplies codes with an offset where activations are bf16.
bool walks(const Case& c) {
  if (c.kernel == "hybrid") return routes_to_decode(c.problem.m, c.problem.k);
  return c.kernel == "decode" || c.kernel == "chunked" || c.kernel == "moe";
}

class Row : public testing::TestWithParam<std::string_view> {};

TEST_P(Row, GivesEveryOutputItsClass) {
  const std::string row(GetParam());
  Context context;
  std::map<std::string, int64_t> seen;
  int64_t declared = 0;
  EXPECT_TRUE(check_property((row + " gives every output its class").c_str(), 60, [&] {
    Case c = *small_legal_case(row);
    RapidChooser choose;
    c.fill = choose.pick(3) == 2 ? Fill::extreme : Fill::special;
    // Gates before the product: no class by hand.
    if (c.problem.silu) c.problem.silu = false, c.problem.tile = {};
    const auto setup = make_setup(c, context);
    RC_ASSERT(setup.has_value());
    Call call(*setup);
    const auto material = context.material(c);
    const Arrays x = arrays_of(*setup, material->weights);
    const Trial t = try_call(*setup, call, x, material->source);
    const bool offset_trick = c.problem.act == DType::bf16 && walks(c);
    const auto fail = [&](const std::string& why) {
      RC_FAIL(fmt::format("{}\nw4check rerun '{}'", why, to_string(c)));
    };
    // The verdict: finite ones and what is declared.
    const Verdict v = make_verdict(to_string(c), t.outcomes, {});
    if (v.kind() != VerdictKind::pass) fail(to_string(v));
    for (int64_t m = 0; m < t.right.twin.m; ++m) {
      for (int64_t n = 0; n < t.right.twin.n; ++n) {
        const size_t i = t.right.twin.at(m, n);
        const Class got = class_of(to_f64(c.problem.act, t.out[i]));
        ++seen[kClassNames[static_cast<size_t>(got)]];
        if (!x.promises(m)) continue;
        const auto want = class_by_hand(x, m, n);
        if (!want || got == *want) continue;
        // Declared: Inf and NaN of the offset trick of bf16.
        if (offset_trick && t.right.bound.overflow[i] != 0 && got != Class::finite) {
          ++declared;
          continue;
        }
        fail(fmt::format("out[{},{}] is {}, its terms say {}", m, n,
                         kClassNames[static_cast<size_t>(got)],
                         kClassNames[static_cast<size_t>(*want)]));
      }
    }
  }));
  for (const auto& [name, count] : seen) std::cout << "  " << name << "=" << count;
  std::cout << "  by declared exception: " << declared << "\n";
  for (const char* name : kClassNames) EXPECT_GT(seen[name], 0) << name << " never occurred";
}

INSTANTIATE_TEST_SUITE_P(Rows, Row, testing::ValuesIn(generated_rows()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace w4
