// C++ source as words and signs, without what no mutation may touch: comments, strings, characters,
// lines of the preprocessor, static_asserts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace w4::source {

struct Token {
  enum class Kind : uint8_t { word, number, sign } kind = Kind::sign;
  std::string_view text;  // into the source
  size_t begin = 0;
  bool binary = false;  // an operator with white space on both sides, between two operands

  size_t end() const { return begin + text.size(); }
  bool is(std::string_view s) const { return text == s; }
};

std::vector<Token> tokens_of(std::string_view source);

// Index of the token that closes the bracket at `open`, or tokens.size().
size_t closing(const std::vector<Token>& tokens, size_t open);

}  // namespace w4::source
