#include "zoo/source/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace w4::source {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

constexpr std::array<std::string_view, 16> kSigns{"<<=", ">>=", "<=", ">=", "==", "!=", "&&", "||",
                                                  "->",  "::",  "<<", ">>", "++", "--", "+=", "-="};

// Past what is skipped at `at`: a comment, a string, a line of the preprocessor.
size_t past_skipped(std::string_view s, size_t at) {
  if (s.substr(at, 2) == "//") return std::min(s.find('\n', at), s.size());
  if (s.substr(at, 2) == "/*") return std::min(s.find("*/", at), s.size() - 2) + 2;
  if (s[at] == '#') {
    while (at < s.size() && (s[at] != '\n' || s[at - 1] == '\\')) ++at;
    return at;
  }
  if (s[at] != '"' && s[at] != '\'') return at;
  const char quote = s[at];
  for (size_t i = at + 1; i < s.size(); ++i) {
    if (s[i] == '\\') {
      ++i;
    } else if (s[i] == quote) {
      return i + 1;
    }
  }
  return s.size();
}

void mark_binary(std::string_view s, std::vector<Token>& all) {
  for (size_t i = 1; i + 1 < all.size(); ++i) {
    Token& t = all[i];
    const Token& before = all[i - 1];
    const bool operand =
        before.kind != Token::Kind::sign || before.is(")") || before.is("]") || before.is("}");
    t.binary = t.kind == Token::Kind::sign && operand && t.begin > 0 && is_space(s[t.begin - 1]) &&
               t.end() < s.size() && is_space(s[t.end()]) && !before.is("return");
  }
}

void drop_static_asserts(std::vector<Token>& all) {
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].is("static_assert")) continue;
    const size_t end = std::min(closing(all, i + 1) + 2, all.size());  // with the semicolon
    all.erase(all.begin() + static_cast<int64_t>(i), all.begin() + static_cast<int64_t>(end));
  }
}

}  // namespace

std::vector<Token> tokens_of(std::string_view s) {
  std::vector<Token> all;
  for (size_t at = 0; at < s.size();) {
    if (is_space(s[at])) {
      ++at;
      continue;
    }
    if (const size_t past = past_skipped(s, at); past != at) {
      // A string is an operand, of which nothing is changed.
      if (s[at] == '"' || s[at] == '\'')
        all.push_back({Token::Kind::word, s.substr(at, past - at), at});
      at = past;
      continue;
    }
    const size_t begin = at;
    Token::Kind kind = Token::Kind::sign;
    if (is_word(s[at])) {
      kind = std::isdigit(static_cast<unsigned char>(s[at])) != 0 ? Token::Kind::number
                                                                  : Token::Kind::word;
      while (at < s.size() &&
             (is_word(s[at]) || (kind == Token::Kind::number && (s[at] == '.' || s[at] == '\''))))
        ++at;
    } else {
      const auto* sign = std::ranges::find_if(
          kSigns, [&](std::string_view t) { return s.substr(begin, t.size()) == t; });
      at += sign == kSigns.end() ? 1 : sign->size();
    }
    all.push_back({kind, s.substr(begin, at - begin), begin});
  }
  drop_static_asserts(all);
  mark_binary(s, all);
  return all;
}

size_t closing(const std::vector<Token>& tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const std::string_view t = tokens[i].text;
    if (t == "(" || t == "[" || t == "{") ++depth;
    if ((t == ")" || t == "]" || t == "}") && --depth <= 0) return i;
  }
  return tokens.size();
}

}  // namespace w4::source
