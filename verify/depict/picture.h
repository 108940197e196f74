// The error of an output, element by element and as a picture of few cells.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/explain/recipe.h"

namespace w4::depict {

enum class What : uint8_t { right, wrong, not_finite, unwritten };  // the later outweighs
std::string_view name_of(What w);

struct Element {
  int64_t m = 0, n = 0;
  What what = What::right;
  double got = 0, low = 0, high = 0;  // NaN as both ends: NaN is what is right
  double twin = 0, bound = 0;         // y~ before the store, B
  double error = 0;                   // signed, least that explains `got`, in tolerances
};

// The tolerance of an element is B, but at least half a unit in the last place: where sums are
// exact B is 0, and every error would be infinite.
Element element_of(const explain::Observed& o, int64_t m, int64_t n);

// More wrong than another: by kind, then by size.
bool worse(const Element& a, const Element& b);

struct Cell {
  What what = What::right;  // of its worst element
  double error = 0;         // of that element
  int64_t wrong = 0;        // elements
};

struct Picture {
  std::vector<int64_t> rows, columns;  // first of each cell, and the end
  std::vector<Cell> cells;             // [rows, columns]
};

// `order`: row of the output at each place; empty: as they are. At most `side` cells each way,
// whole multiples of one element.
Picture picture_of(const explain::Observed& o, const std::vector<int64_t>& order, int64_t side);

// The worst elements that are wrong, worst first.
std::vector<Element> worst_of(const explain::Observed& o, size_t count);

}  // namespace w4::depict
