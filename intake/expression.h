// Integer expressions over the sizes, strides and device of a call: "ceil_div(M, 32)", "4*K/G",
// "M <= 4 ? 1 : CUS". In C's precedence, weakest first:
//   c ? a : b    ||    &&    == != < <= > >=    + -    * / %    - ! ( )
//   ceil_div(a, b), min(a, b), max(a, b); decimal literals; the variables below
// Numbers are 64 bits and overflow is an error; / and % cut towards zero; what is not 0 is true,
// and a comparison is 1 or 0. Of `?:`, && and || only the side that counts is computed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace w4 {

// Strides and dims in elements of their tensor; 0 where the call has no such tensor.
struct Sizes {
  int64_t m = 0, n = 0, k = 0, g = 0;
  int64_t cus = 0, lds = 0;  // what the device reports; lds in bytes
  int64_t lda = 0, ldy = 0;
  int64_t wei_stride = 0, scale_stride = 0, zp_stride = 0, carrier_stride = 0;
  int64_t bias_rows = 0, bias_cols = 0;  // of [B] as [1,B]
  int64_t bias_stride = 0;               // between rows of a 2-D bias, elements of a 1-D one
  int64_t bias_m_stride = 0, bias_n_stride = 0;
  int64_t has_zp = 0, zp_packed = 0, has_bias = 0, act_bf16 = 0;
};

struct Variable {
  std::string_view name, says;
  int64_t Sizes::* of;
};
std::span<const Variable> variables();

class Expression {
 public:
  Expression() : Expression(0) {}
  explicit Expression(int64_t literal) : text_(std::to_string(literal)) {
    steps_.push_back({Op::literal, literal});
  }
  // Errors: "column 7: …", 1-based in `text`, and what is legal there. At most 256 characters.
  static Result<Expression> parse(std::string_view text);

  // Errors: a division by zero, a value outside 64 bits; with the sizes it happens at.
  Result<int64_t> value(const Sizes& sizes) const;
  const std::string& text() const { return text_; }
  bool uses(std::string_view variable) const;
  // "M = 33, N = 40, K = 128, G = 32", and the other variables it uses.
  std::string at(const Sizes& sizes) const;

 private:
  friend class ExpressionReader;
  // clang-format off
  enum class Op : uint8_t {
    literal, variable,  // of variables()
    negate, invert, truth,  // take one
    add, sub, mul, div, rest, ceil_div, min, max, equal, unequal, less, at_most, more, at_least,
    skip_if_zero, skip_unless_zero, skip, drop,  // literal: the step to go on at; keep the value
  };
  // clang-format on
  struct Step {
    Op op;
    int64_t literal = 0;
  };
  std::string text_;
  std::vector<Step> steps_;  // postfix
};

}  // namespace w4
