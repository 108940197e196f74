#include "zoo/edit.h"

#include <cctype>
#include <set>

#include "zoo/scope.h"

namespace w4 {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trim(std::string_view s) {
  while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
  return s;
}

// The characters that count, and where each stands in the text.
struct Dense {
  std::string chars;
  std::vector<size_t> at;
  explicit Dense(std::string_view text) {
    for (size_t i = 0; i < text.size(); i++) {
      if (is_space(text[i])) continue;
      chars += text[i];
      at.push_back(i);
    }
  }
};

}  // namespace

Result<std::vector<Edit>> parse_edits(std::string_view text) {
  std::vector<Edit> edits;
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    number++;
    if (trim(line).empty() || line.starts_with('#')) continue;
    if (line.starts_with("file ")) {
      edits.push_back({std::string(trim(line.substr(5))), "", "", "", number});
      if (edits.back().file.empty()) return fail("line {}: `file` without a path", number);
      continue;
    }
    if (edits.empty()) return fail("line {}: '{}' before any `file` line", number, line);
    Edit& edit = edits.back();
    if (line.starts_with("scope ")) {
      edit.scope = std::string(trim(line.substr(6)));
    } else if (line.starts_with('-')) {
      if (!edit.replace.empty()) return fail("line {}: `-` after `+`", number);
      edit.find += std::string(line.substr(1)) + "\n";
    } else if (line.starts_with('+')) {
      edit.replace += std::string(line.substr(1)) + "\n";
    } else {
      return fail("line {}: '{}'; legal: file, scope, -, +, #", number, line);
    }
  }
  if (edits.empty()) return fail("no edit in it; legal: at least one `file` line");
  for (const Edit& edit : edits) {
    if (edit.scope.empty()) return fail("line {}: edit without a `scope` line", edit.line);
    if (trim(edit.find).empty()) return fail("line {}: edit without text to find", edit.line);
    if (Dense(edit.find).chars == Dense(edit.replace).chars) {
      return fail("line {}: the replacement is the text itself", edit.line);
    }
  }
  return edits;
}

Result<std::string> apply_edit(const Edit& edit, std::string_view source) {
  const auto bodies = definitions(source, edit.scope);
  if (bodies.empty()) return fail("{}: no definition of {}", edit.file, edit.scope);
  const Dense wanted(edit.find);
  std::set<Span> places;  // one place may lie in a body inside another
  for (const Span& body : bodies) {
    const Dense in(source.substr(body.begin, body.end - body.begin));
    for (size_t at = in.chars.find(wanted.chars); at != std::string::npos;
         at = in.chars.find(wanted.chars, at + 1)) {
      places.insert({body.begin + in.at[at], body.begin + in.at[at + wanted.chars.size() - 1] + 1});
    }
  }
  if (places.empty())
    return fail("{}: the text is not in {}: {}", edit.file, edit.scope, trim(edit.find));
  if (places.size() > 1)
    return fail("{}: the text is more than once in {}: {}", edit.file, edit.scope, trim(edit.find));
  const Span place = *places.begin();
  return std::string(source.substr(0, place.begin)) + std::string(trim(edit.replace)) +
         std::string(source.substr(place.end));
}

}  // namespace w4
