// Integer expressions over the sizes of a problem: "ceil_div(M, 32)", "4*K/G", "max(1, N - 8)".
//   + - * / with the usual precedence, unary -, parentheses; / cuts towards zero
//   ceil_div(a, b), min(a, b), max(a, b); M N K G; decimal literals
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace w4 {

struct Sizes {
  int64_t m = 0, n = 0, k = 0, g = 0;
};

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

 private:
  friend class ExpressionReader;
  enum class Op : uint8_t { literal, m, n, k, g, negate, add, sub, mul, div, ceil_div, min, max };
  struct Step {
    Op op;
    int64_t literal = 0;
  };
  std::string text_;
  std::vector<Step> steps_;  // postfix
};

}  // namespace w4
