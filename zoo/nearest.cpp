#include "zoo/nearest.h"

#include <algorithm>
#include <cctype>

namespace w4 {
namespace {

// Names, numbers, and every other character by itself.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  const auto name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (name(text[i]) && end < text.size() && name(text[end])) ++end;
    out.push_back(text.substr(i, end - i));
    i = end;
  }
  return out;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Length of the longest common subsequence.
size_t common(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  std::vector<size_t> row(b.size() + 1, 0);
  for (const std::string_view x : a) {
    size_t diagonal = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = x == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::optional<Nearest> nearest(std::string_view text, std::string_view source) {
  const auto wanted = words_of(text);
  const auto lines = lines_of(source);
  const auto wanted_lines = lines_of(text);
  const size_t height = wanted_lines.size();
  std::vector<std::vector<std::string_view>> words;
  words.reserve(lines.size());
  for (const std::string_view l : lines) words.push_back(words_of(l));
  Nearest best;
  for (size_t count = std::max<size_t>(height, 2) - 1; count <= height + 1; ++count) {
    for (size_t at = 0; at + count <= lines.size(); ++at) {
      std::vector<std::string_view> here;
      for (size_t i = at; i < at + count; ++i)
        here.insert(here.end(), words[i].begin(), words[i].end());
      const size_t longer = std::max(here.size(), wanted.size());
      if (longer == 0) continue;
      const double alike = static_cast<double>(common(wanted, here)) / static_cast<double>(longer);
      if (alike <= best.alike) continue;
      best.alike = alike, best.line = static_cast<int>(at) + 1;
      best.lines.clear();
      for (size_t i = at; i < at + count; ++i) {
        std::string l(lines[i]);
        while (!l.empty() && std::isspace(static_cast<unsigned char>(l.back())) != 0) l.pop_back();
        best.lines.push_back(std::move(l));
      }
    }
  }
  if (best.alike == 0) return std::nullopt;
  return best;
}

}  // namespace w4
