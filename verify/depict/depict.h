// What a page about a failure shows of its line: the worst elements, the error over the output with
// the edges of tiles, waves and matrix instructions, how the error grows along K, and what checks
// found with the text of its source. The line is run again for it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"
#include "kernels/geometry.h"
#include "verify/context.h"
#include "verify/depict/along_k.h"
#include "verify/depict/excerpt.h"
#include "verify/depict/picture.h"

namespace w4::depict {

struct Depiction {
  std::string line;  // that was run for it: the failing one, or the further call of its law
  std::string why_no_output;  // empty: it has one; otherwise all below but findings is empty
  int64_t m = 0, n = 0, k = 0, g = 0;
  int64_t wrong = 0;
  std::string instantiation, symbol;
  std::optional<Geometry> geometry;  // nothing: what ran does not say how it divides its output
  std::vector<int64_t> order;        // row of the output at each place of the picture; empty: as is
  std::vector<int64_t> experts;      // of those rows, -1: nobody's; empty: a dense layer
  Picture picture;
  std::vector<Element> worst;
  AlongK along_k;
  // A check ends a wave where it finds something, and what that wave did not write says nothing:
  // the line was run without checks for all above.
  bool unchecked = false;
  std::string why_checked;  // where that gave no output either: as far as the waves came
  std::vector<ShownFinding> findings;
  int64_t findings_in_all = 0;
};

struct Limits {
  double seconds = 60;                                // after which it says what it has
  std::function<bool()> stop = [] { return false; };  // asked between runs: the same, now
  size_t worst = 12;
  int64_t side = 128;  // of the picture, in cells
  size_t points = 48;  // along K
  size_t findings = 6;
};

// `verdict`: of `c`. Any case; never throws for what a module does.
Depiction depict(const Case& c, const Verdict& verdict, Context& context,
                 const Limits& limits = {});

}  // namespace w4::depict
