#include "zoo/scope.h"

#include <cctype>
#include <optional>

namespace w4 {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Just past the comment, string or character literal that starts at `at`; `at` where none does.
size_t past_opaque(std::string_view s, size_t at) {
  if (s.substr(at, 2) == "//") return std::min(s.find('\n', at), s.size());
  if (s.substr(at, 2) == "/*") {
    const size_t end = s.find("*/", at + 2);
    return end == std::string_view::npos ? s.size() : end + 2;
  }
  const char quote = s[at];
  // A quote inside a number (1'000) opens nothing.
  if (quote != '"' && (quote != '\'' || (at > 0 && is_word(s[at - 1])))) return at;
  for (size_t i = at + 1; i < s.size(); i++) {
    if (s[i] == '\\') {
      i++;
    } else if (s[i] == quote) {
      return i + 1;
    }
  }
  return s.size();
}

size_t skip_blank(std::string_view s, size_t at) {
  while (at < s.size()) {
    if (is_space(s[at])) {
      at++;
    } else if (s[at] == '/' && past_opaque(s, at) != at) {
      at = past_opaque(s, at);
    } else {
      break;
    }
  }
  return at;
}

// Just past the bracket that closes the one at `at`.
std::optional<size_t> past_group(std::string_view s, size_t at) {
  const char open = s[at];
  const char close = open == '(' ? ')' : '}';
  int depth = 0;
  while (at < s.size()) {
    if (const size_t next = past_opaque(s, at); next != at) {
      at = next;
      continue;
    }
    if (s[at] == open) depth++;
    if (s[at] == close && --depth == 0) return at + 1;
    at++;
  }
  return {};
}

// The body that follows a parameter list ending at `at`, if this is a definition.
std::optional<Span> body_after(std::string_view s, size_t at) {
  while ((at = skip_blank(s, at)) < s.size()) {
    const char c = s[at];
    if (c == '{') {
      const auto end = past_group(s, at);
      if (!end) return {};
      return Span{at, *end};
    }
    if (c == '(') {
      const auto end = past_group(s, at);
      if (!end) return {};
      at = *end;
    } else if (is_word(c) || c == ':' || c == ',' || c == '<' || c == '>' || c == '&' || c == '*') {
      at++;
    } else if (s.substr(at, 2) == "->") {
      at += 2;
    } else {
      return {};
    }
  }
  return {};
}

}  // namespace

std::vector<Span> function_bodies(std::string_view source, std::string_view name) {
  std::vector<Span> found;
  size_t at = 0;
  while (at < source.size()) {
    if (const size_t next = past_opaque(source, at); next != at) {
      at = next;
      continue;
    }
    if (!is_word(source[at])) {
      at++;
      continue;
    }
    const size_t begin = at;
    while (at < source.size() && is_word(source[at])) at++;
    if (source.substr(begin, at - begin) != name) continue;
    const size_t open = skip_blank(source, at);
    if (open >= source.size() || source[open] != '(') continue;
    const auto close = past_group(source, open);
    if (!close) continue;
    if (const auto body = body_after(source, *close)) found.push_back(*body);
  }
  return found;
}

}  // namespace w4
