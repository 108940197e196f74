// Many points of a grid that show the same, as few boxes: {M: 1-5, act: f16 bf16, G: 64} instead of
// ten lines.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace w4::diff {

using Point = std::vector<std::string>;          // a value for each dimension
using Box = std::vector<std::set<std::string>>;  // values for each dimension; all combinations

// Boxes that hold every point of `same` and no point of `all` that is not in `same`: where a
// combination was not looked at it may be in one. On input: same is part of all.
std::vector<Box> fold(const std::set<Point>& same, const std::set<Point>& all);

// The same where that makes three boxes or fewer; otherwise the one box around all of `same`: more
// than a reader takes in.
std::vector<Box> fold_few(const std::set<Point>& same, const std::set<Point>& all);

bool inside(const Point& p, const Box& b);

// "1-5 64": numbers that follow each other as a range; other words one after the other.
std::string text_of(const std::set<std::string>& values);

}  // namespace w4::diff
