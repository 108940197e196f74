#include "intake/expression.h"

#include <algorithm>
#include <array>
#include <limits>

namespace w4 {
namespace {

constexpr std::array kVariables{
    Variable{"M", "rows of act and out", &Sizes::m},
    Variable{"N", "columns of out", &Sizes::n},
    Variable{"K", "columns of act", &Sizes::k},
    Variable{"G", "group size", &Sizes::g},
    Variable{"CUS", "compute units that the call is given", &Sizes::cus},
    Variable{"LDS", "bytes of LDS a block may have, as the device reports them", &Sizes::lds},
    Variable{"lda", "from row to row of act", &Sizes::lda},
    Variable{"ldy", "from row to row of out", &Sizes::ldy},
    Variable{"wei_stride", "from row to row of wei, in its layout's elements", &Sizes::wei_stride},
    Variable{"scale_stride", "from row to row of scale", &Sizes::scale_stride},
    Variable{"zp_stride", "from row to row of zp", &Sizes::zp_stride},
    Variable{"carrier_stride", "from row to row of carrier", &Sizes::carrier_stride},
    Variable{"bias_rows", "rows of the bias, 1 where it is [N]", &Sizes::bias_rows},
    Variable{"bias_cols", "columns of the bias", &Sizes::bias_cols},
    Variable{"bias_stride", "from row to row of a 2-D bias, from element to element of a 1-D one",
             &Sizes::bias_stride},
    Variable{"bias_m_stride", "from out[m,n]'s bias to out[m+1,n]'s, 0 where it is one",
             &Sizes::bias_m_stride},
    Variable{"bias_n_stride", "from out[m,n]'s bias to out[m,n+1]'s, 0 where it is one",
             &Sizes::bias_n_stride},
    Variable{"has_zp", "1 where there is a tensor zp", &Sizes::has_zp},
    Variable{"zp_packed", "1 where zero points are packed", &Sizes::zp_packed},
    Variable{"has_bias", "1 where there is a bias", &Sizes::has_bias},
    Variable{"act_bf16", "1 where act is bf16, 0 where it is f16", &Sizes::act_bf16},
};

}  // namespace

std::span<const Variable> variables() { return kVariables; }

bool Expression::uses(std::string_view variable) const {
  return std::ranges::any_of(steps_, [&](const Step& s) {
    return s.op == Op::variable && kVariables[static_cast<size_t>(s.literal)].name == variable;
  });
}

std::string Expression::at(const Sizes& s) const {
  std::string out = fmt::format("M = {}, N = {}, K = {}, G = {}", s.m, s.n, s.k, s.g);
  for (const Variable& v : std::span(kVariables).subspan(4)) {
    if (uses(v.name)) out += fmt::format(", {} = {}", v.name, s.*v.of);
  }
  return out;
}

Result<int64_t> Expression::value(const Sizes& s) const {
  // Every step stays below 2^126 in magnitude, as its operands fit 64 bits.
  using Wide = __int128;
  std::vector<Wide> stack;
  const auto where = [&] { return fmt::format("'{}' at {}", text_, at(s)); };
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    Wide v = step.literal;
    switch (step.op) {
      case Op::skip_if_zero:
      case Op::skip_unless_zero:
        if ((stack.back() == 0) == (step.op == Op::skip_if_zero)) {
          i = static_cast<size_t>(step.literal) - 1;
        }
        continue;
      case Op::skip:
        i = static_cast<size_t>(step.literal) - 1;
        continue;
      case Op::drop:
        stack.pop_back();
        continue;
      default:
        break;
    }
    if (step.op == Op::variable) v = s.*kVariables[static_cast<size_t>(step.literal)].of;
    if (step.op >= Op::negate && step.op <= Op::truth) {
      const Wide a = stack.back();
      stack.pop_back();
      v = step.op == Op::negate ? -a : (a != 0) == (step.op == Op::truth);
    } else if (step.op > Op::truth) {
      const Wide b = stack.back();
      stack.pop_back();
      const Wide a = stack.back();
      stack.pop_back();
      if ((step.op == Op::div || step.op == Op::rest || step.op == Op::ceil_div) && b == 0) {
        return fail("{} divides by zero", where());
      }
      if (step.op == Op::add) v = a + b;
      if (step.op == Op::sub) v = a - b;
      if (step.op == Op::mul) v = a * b;
      if (step.op == Op::div) v = a / b;
      if (step.op == Op::rest) v = a % b;
      if (step.op == Op::ceil_div) v = a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
      if (step.op == Op::min) v = std::min(a, b);
      if (step.op == Op::max) v = std::max(a, b);
      if (step.op == Op::equal) v = a == b;
      if (step.op == Op::unequal) v = a != b;
      if (step.op == Op::less) v = a < b;
      if (step.op == Op::at_most) v = a <= b;
      if (step.op == Op::more) v = a > b;
      if (step.op == Op::at_least) v = a >= b;
    }
    if (v < std::numeric_limits<int64_t>::min() || v > std::numeric_limits<int64_t>::max()) {
      return fail("{} does not fit 64 bits", where());
    }
    stack.push_back(v);
  }
  return static_cast<int64_t>(stack.back());
}

}  // namespace w4
