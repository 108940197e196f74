#include "campaign/diff/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>

namespace w4::diff {
namespace {

// Past this the search for pairs would cost more than it tells.
constexpr size_t kPairs = 200;

// Boxes that are alike in every dimension but `dim` become one.
std::vector<Box> along(std::vector<Box> boxes, size_t dim) {
  std::map<Box, std::set<std::string>> groups;
  for (Box& b : boxes) {
    std::set<std::string> values = std::move(b[dim]);
    b[dim].clear();
    groups[std::move(b)].merge(values);
  }
  std::vector<Box> out;
  for (auto& [rest, values] : groups) {
    out.push_back(rest);
    out.back()[dim] = std::move(values);
  }
  return out;
}

Box around(const Box& a, const Box& b) {
  Box out = a;
  for (size_t i = 0; i < b.size(); ++i) out[i].insert(b[i].begin(), b[i].end());
  return out;
}

std::optional<int64_t> number(const std::string& text) {
  int64_t v = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return v;
}

}  // namespace

bool inside(const Point& p, const Box& b) {
  for (size_t i = 0; i < p.size(); ++i) {
    if (!b[i].contains(p[i])) return false;
  }
  return true;
}

std::vector<Box> fold(const std::set<Point>& same, const std::set<Point>& all) {
  std::vector<Box> boxes;
  for (const Point& p : same) {
    Box& b = boxes.emplace_back();
    for (const std::string& value : p) b.push_back({value});
  }
  if (boxes.empty()) return boxes;
  for (size_t dim = boxes.front().size(); dim-- > 0;) boxes = along(std::move(boxes), dim);
  if (boxes.size() > kPairs) return boxes;
  std::vector<Point> others;
  std::ranges::set_difference(all, same, std::back_inserter(others));
  for (size_t i = 0; i < boxes.size(); ++i) {
    for (size_t j = i + 1; j < boxes.size(); ++j) {
      const Box both = around(boxes[i], boxes[j]);
      if (std::ranges::any_of(others, [&](const Point& p) { return inside(p, both); })) continue;
      boxes[i] = both;
      boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(j));
      j = i;  // the larger box may take in those it was held against before
    }
  }
  return boxes;
}

std::vector<Box> fold_few(const std::set<Point>& same, const std::set<Point>& all) {
  constexpr size_t kFew = 3;
  std::vector<Box> boxes = fold(same, all);
  if (boxes.size() <= kFew) return boxes;
  Box one = boxes.front();
  for (const Box& b : boxes) one = around(one, b);
  return {one};
}

std::string text_of(const std::set<std::string>& values) {
  std::vector<int64_t> numbers;
  std::string out;
  const auto add = [&out](const std::string& word) { out += (out.empty() ? "" : " ") + word; };
  for (const std::string& v : values) {
    if (const auto n = number(v)) {
      numbers.push_back(*n);
    } else {
      add(v);
    }
  }
  std::ranges::sort(numbers);
  for (size_t i = 0; i < numbers.size();) {
    size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    add(i == j ? std::to_string(numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[j]));
    i = j + 1;
  }
  return out;
}

}  // namespace w4::diff
