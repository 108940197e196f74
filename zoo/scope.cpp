#include "zoo/scope.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

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
  const char close = open == '(' ? ')' : open == '[' ? ']' : '}';
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

// The text before `at` without blanks at its end.
std::string_view before(std::string_view s, size_t at) {
  while (at > 0 && is_space(s[at - 1])) at--;
  return s.substr(0, at);
}
bool ends_with_word(std::string_view s, std::string_view word) {
  return s.ends_with(word) && (s.size() == word.size() || !is_word(s[s.size() - word.size() - 1]));
}

// The initialiser at `at` of a variable whose name begins at `name`: declarations have a type in
// front, assignments do not.
std::optional<Span> initialiser(std::string_view s, size_t name, size_t at) {
  const std::string_view front = before(s, name);
  constexpr std::array<std::string_view, 4> kNoTypes = {"return", "else", "case", "enum"};
  if (front.empty() || (!is_word(front.back()) && !std::string_view("*&>").contains(front.back())))
    return {};
  if (std::ranges::any_of(kNoTypes, [&](auto word) { return ends_with_word(front, word); }))
    return {};
  while (at < s.size() && s[at] == '[') {
    const auto end = past_group(s, at);
    if (!end) return {};
    at = skip_blank(s, *end);
  }
  if (at >= s.size() || s.substr(at, 2) == "==" || (s[at] != '=' && s[at] != '{')) return {};
  for (size_t i = at; i < s.size();) {
    if (const size_t next = past_opaque(s, i); next != i) {
      i = next;
    } else if (s[i] == '(' || s[i] == '[' || s[i] == '{') {
      const auto end = past_group(s, i);
      if (!end) return {};
      i = *end;
    } else if (s[i] == ';') {
      return Span{at, i};
    } else if (s[i] == ')' || s[i] == '}') {
      return {};
    } else {
      i++;
    }
  }
  return {};
}

// From `at` to the end of the line, and on where a line ends in a backslash.
Span macro_text(std::string_view s, size_t at) {
  size_t end = at;
  while (end < s.size() && (s[end] != '\n' || s[end - 1] == '\\')) end++;
  return {at, end};
}

// The body of a class whose name ends at `at`.
std::optional<Span> class_body(std::string_view s, size_t at) {
  at = s.find_first_of("{;(=", at);
  if (at == s.npos || s[at] != '{') return {};
  const auto end = past_group(s, at);
  if (!end) return {};
  return Span{at, *end};
}
bool names_class(std::string_view s, size_t begin) {
  return ends_with_word(before(s, begin), "struct") || ends_with_word(before(s, begin), "class");
}

// The definition, if it is one, of the word in [begin, end). `arguments`: of the specialisation
// that is meant, without blanks; empty: any definition.
std::optional<Span> defined_at(std::string_view s, size_t begin, size_t end,
                               std::string_view arguments) {
  if (before(s, begin).ends_with("#define")) return macro_text(s, end);
  if (names_class(s, begin)) return class_body(s, end);
  size_t at = skip_blank(s, end);
  if (at < s.size() && s[at] == '<') {
    std::string found;
    int depth = 0;
    for (; at < s.size() && s[at] != ';' && s[at] != '{'; at++) {
      if (s[at] == '<') depth++;
      if (s[at] == '>') depth--;
      if (!is_space(s[at])) found += s[at];
      if (depth == 0) break;
    }
    if (at >= s.size() || s[at] != '>' || (!arguments.empty() && found != arguments)) return {};
    at = skip_blank(s, at + 1);
  } else if (!arguments.empty()) {
    return {};
  }
  if (at >= s.size()) return {};
  if (s[at] != '(') return initialiser(s, begin, at);
  const auto close = past_group(s, at);
  return close ? body_after(s, *close) : std::nullopt;
}

// Bodies of the classes called `name`.
std::vector<Span> classes(std::string_view s, std::string_view name) {
  std::vector<Span> found;
  for (size_t at = s.find(name); at != s.npos; at = s.find(name, at + 1)) {
    if (at + name.size() < s.size() && is_word(s[at + name.size()])) continue;
    if (!names_class(s, at)) continue;
    if (const auto body = class_body(s, at + name.size())) found.push_back(*body);
  }
  return found;
}

}  // namespace

std::vector<Span> definitions(std::string_view source, std::string_view name) {
  const size_t open = std::min(name.find('<'), name.size());
  std::string arguments;
  for (char c : name.substr(open)) {
    if (!is_space(c)) arguments += c;
  }
  name = name.substr(0, open);
  std::string_view type;
  if (const size_t colons = name.rfind("::"); colons != name.npos) {
    type = name.substr(0, colons);
    name.remove_prefix(colons + 2);
  }
  const auto inside = type.empty() ? std::vector<Span>() : classes(source, type);

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
    if (!type.empty()) {
      const std::string_view front = source.substr(0, begin);
      const bool outside =
          front.ends_with("::") && ends_with_word(front.substr(0, front.size() - 2), type);
      if (!outside && std::ranges::none_of(inside, [&](const Span& body) {
            return begin > body.begin && begin < body.end;
          }))
        continue;
    }
    if (const auto body = defined_at(source, begin, at, arguments)) found.push_back(*body);
  }
  return found;
}

}  // namespace w4
