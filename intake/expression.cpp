#include "intake/expression.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace w4 {
namespace {

constexpr size_t kMaxText = 256;
constexpr int kMaxDepth = 32;
constexpr std::string_view kLegal =
    "M, N, K, G, a number, '-', '(', ceil_div(a, b), min(a, b), max(a, b)";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

class ExpressionReader {
 public:
  explicit ExpressionReader(std::string_view text) : text_(text) {}

  Result<Expression> read() {
    if (text_.size() > kMaxText) {
      return fail("{} characters; legal: at most {}", text_.size(), kMaxText);
    }
    out_.steps_.clear();
    out_.text_ = text_;
    if (!sum(0)) return std::unexpected(*error_);
    if (peek() != '\0' || at_ < text_.size()) {
      wrong("+ - * / or the end");
      return std::unexpected(*error_);
    }
    return out_;
  }

 private:
  using Op = Expression::Op;

  bool wrong(std::string_view legal) {
    const std::string got = at_ >= text_.size() ? "the end" : fmt::format("'{}'", text_[at_]);
    error_ = Error{fmt::format("column {}: {}; legal: {}", at_ + 1, got, legal)};
    return false;
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool emit(Op op, int64_t literal = 0) {
    out_.steps_.push_back({op, literal});
    return true;
  }

  bool sum(int depth) {
    if (depth > kMaxDepth) return wrong(fmt::format("nesting of at most {}", kMaxDepth));
    if (!product(depth)) return false;
    while (peek() == '+' || peek() == '-') {
      const Op op = text_[at_++] == '+' ? Op::add : Op::sub;
      if (!product(depth) || !emit(op)) return false;
    }
    return true;
  }
  bool product(int depth) {
    if (!factor(depth)) return false;
    while (peek() == '*' || peek() == '/') {
      const Op op = text_[at_++] == '*' ? Op::mul : Op::div;
      if (!factor(depth) || !emit(op)) return false;
    }
    return true;
  }
  bool factor(int depth) {
    if (depth > kMaxDepth) return wrong(fmt::format("nesting of at most {}", kMaxDepth));
    const char c = peek();
    if (take('-')) return factor(depth + 1) && emit(Op::negate);
    if (take('(')) return sum(depth + 1) && (take(')') || wrong("')'"));
    if (is_digit(c)) return number();
    if (is_letter(c)) return name(depth);
    return wrong(kLegal);
  }
  bool number() {
    int64_t v = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
    if (error != std::errc{}) return wrong("a number that fits 64 bits");
    at_ = static_cast<size_t>(end - text_.data());
    return emit(Op::literal, v);
  }
  bool name(int depth) {
    const size_t begin = at_;
    size_t end = begin;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string_view word = text_.substr(begin, end - begin);
    at_ = end;
    if (word == "M") return emit(Op::m);
    if (word == "N") return emit(Op::n);
    if (word == "K") return emit(Op::k);
    if (word == "G") return emit(Op::g);
    std::optional<Op> op;
    if (word == "ceil_div") op = Op::ceil_div;
    if (word == "min") op = Op::min;
    if (word == "max") op = Op::max;
    if (!op) {
      error_ = Error{fmt::format("column {}: '{}'; legal: {}", begin + 1, word, kLegal)};
      return false;
    }
    return (take('(') || wrong("'('")) && sum(depth + 1) && (take(',') || wrong("','")) &&
           sum(depth + 1) && (take(')') || wrong("')'")) && emit(*op);
  }

  std::string_view text_;
  size_t at_ = 0;
  Expression out_;
  std::optional<Error> error_;
};

Result<Expression> Expression::parse(std::string_view text) {
  return ExpressionReader(text).read();
}

Result<int64_t> Expression::value(const Sizes& s) const {
  // Every step stays below 2^126 in magnitude, as its operands fit 64 bits.
  using Wide = __int128;
  std::vector<Wide> stack;
  const auto where = [&] {
    return fmt::format("'{}' at M = {}, N = {}, K = {}, G = {}", text_, s.m, s.n, s.k, s.g);
  };
  for (const Step& step : steps_) {
    Wide v = step.literal;
    if (step.op == Op::m) v = s.m;
    if (step.op == Op::n) v = s.n;
    if (step.op == Op::k) v = s.k;
    if (step.op == Op::g) v = s.g;
    if (step.op == Op::negate) {
      v = -stack.back();
      stack.pop_back();
    } else if (step.op > Op::negate) {
      const Wide b = stack.back();
      stack.pop_back();
      const Wide a = stack.back();
      stack.pop_back();
      if ((step.op == Op::div || step.op == Op::ceil_div) && b == 0) {
        return fail("{} divides by zero", where());
      }
      if (step.op == Op::add) v = a + b;
      if (step.op == Op::sub) v = a - b;
      if (step.op == Op::mul) v = a * b;
      if (step.op == Op::div) v = a / b;
      if (step.op == Op::ceil_div) v = a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
      if (step.op == Op::min) v = std::min(a, b);
      if (step.op == Op::max) v = std::max(a, b);
    }
    if (v < std::numeric_limits<int64_t>::min() || v > std::numeric_limits<int64_t>::max()) {
      return fail("{} does not fit 64 bits", where());
    }
    stack.push_back(v);
  }
  return static_cast<int64_t>(stack.back());
}

}  // namespace w4
