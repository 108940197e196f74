// The reader of expression.h: recursive descent, one function a level of precedence, weakest first,
// that emits postfix.
#include <algorithm>
#include <charconv>
#include <optional>

#include "intake/expression.h"

namespace w4 {
namespace {

constexpr size_t kMaxText = 256;
constexpr int kMaxDepth = 32;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string legal_operands() {
  std::string out;
  for (const Variable& v : variables()) out += fmt::format("{}, ", v.name);
  return out + "a number, '-', '!', '(', ceil_div(a, b), min(a, b), max(a, b)";
}

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
    if (!choice(0)) return std::unexpected(*error_);
    if (peek() != '\0' || at_ < text_.size()) {
      wrong("+ - * / %, a comparison, && || ? or the end");
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
  bool take(std::string_view word) {
    peek();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool emit(Op op, int64_t literal = 0) {
    out_.steps_.push_back({op, literal});
    return true;
  }
  // A jump whose target is not known yet, and its target: here.
  size_t jump(Op op) {
    emit(op);
    return out_.steps_.size() - 1;
  }
  bool land(size_t jump) {
    out_.steps_[jump].literal = static_cast<int64_t>(out_.steps_.size());
    return true;
  }
  bool deeper(int depth) {
    return depth <= kMaxDepth || wrong(fmt::format("nesting of at most {}", kMaxDepth));
  }

  bool choice(int depth) {
    if (!deeper(depth) || !either(depth)) return false;
    if (!take("?")) return true;
    const size_t no = jump(Op::skip_if_zero);
    emit(Op::drop);
    if (!choice(depth + 1) || !(take(":") || wrong("':'"))) return false;
    const size_t end = jump(Op::skip);
    land(no);
    emit(Op::drop);
    return choice(depth + 1) && land(end);
  }
  bool either(int depth) {
    if (!both(depth)) return false;
    while (take("||")) {
      emit(Op::truth);
      const size_t yes = jump(Op::skip_unless_zero);
      emit(Op::drop);
      if (!both(depth)) return false;
      emit(Op::truth);
      land(yes);
    }
    return true;
  }
  bool both(int depth) {
    if (!comparison(depth)) return false;
    while (take("&&")) {
      emit(Op::truth);
      const size_t no = jump(Op::skip_if_zero);
      emit(Op::drop);
      if (!comparison(depth)) return false;
      emit(Op::truth);
      land(no);
    }
    return true;
  }
  bool comparison(int depth) {
    if (!sum(depth)) return false;
    struct Row {
      std::string_view sign;
      Op op;
    };
    constexpr Row kRows[] = {{"==", Op::equal},    {"!=", Op::unequal}, {"<=", Op::at_most},
                             {">=", Op::at_least}, {"<", Op::less},     {">", Op::more}};
    for (const Row& r : kRows) {
      if (take(r.sign)) return sum(depth) && emit(r.op);
    }
    return true;
  }
  bool sum(int depth) {
    if (!product(depth)) return false;
    while (peek() == '+' || peek() == '-') {
      const Op op = text_[at_++] == '+' ? Op::add : Op::sub;
      if (!product(depth) || !emit(op)) return false;
    }
    return true;
  }
  bool product(int depth) {
    if (!factor(depth)) return false;
    while (peek() == '*' || peek() == '/' || peek() == '%') {
      const char sign = text_[at_++];
      const Op op = sign == '*' ? Op::mul : sign == '/' ? Op::div : Op::rest;
      if (!factor(depth) || !emit(op)) return false;
    }
    return true;
  }
  bool factor(int depth) {
    if (!deeper(depth)) return false;
    const char c = peek();
    if (take("-")) return factor(depth + 1) && emit(Op::negate);
    if (take("!")) return factor(depth + 1) && emit(Op::invert);
    if (take("(")) return choice(depth + 1) && (take(")") || wrong("')'"));
    if (is_digit(c)) return number();
    if (is_letter(c)) return name(depth);
    return wrong(legal_operands());
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
    size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string_view word = text_.substr(begin, end - begin);
    at_ = end;
    const auto variable = std::ranges::find(variables(), word, &Variable::name);
    if (variable != variables().end()) return emit(Op::variable, variable - variables().begin());
    std::optional<Op> op;
    if (word == "ceil_div") op = Op::ceil_div;
    if (word == "min") op = Op::min;
    if (word == "max") op = Op::max;
    if (!op) {
      error_ = Error{fmt::format("column {}: '{}'; legal: {}", begin + 1, word, legal_operands())};
      return false;
    }
    return (take("(") || wrong("'('")) && choice(depth + 1) && (take(",") || wrong("','")) &&
           choice(depth + 1) && (take(")") || wrong("')'")) && emit(*op);
  }

  std::string_view text_;
  size_t at_ = 0;
  Expression out_;
  std::optional<Error> error_;
};

Result<Expression> Expression::parse(std::string_view text) {
  return ExpressionReader(text).read();
}

}  // namespace w4
