// How an error grows along K: the kernel on activations that are zero from some k on, against the
// reference of the same, for one element.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verify/context.h"
#include "verify/depict/picture.h"

namespace w4::depict {

// With act[:, end:] zero.
struct Prefix {
  int64_t end = 0;
  Element element;
  int64_t wrong = 0;  // elements of the whole output
};

struct AlongK {
  std::string line;            // of the runs, without their part of K
  std::string why_not;         // empty: there are points
  int64_t m = -1, n = -1;      // of the element
  std::vector<Prefix> points;  // by `end`
  // With act zero from k on the element is right, with one column more it is wrong: k. -1: it is
  // wrong with all of act zero.
  std::optional<int64_t> departs;
  // The same where any element of the output is wrong, not this one alone.
  std::optional<int64_t> any_departs;
  bool cut_short = false;  // the time was over: `departs` may be missing
};

// On input: o.bad_count > 0. Runs at most about `points` calls.
AlongK along_k(const explain::Observed& o, Context& context, size_t points,
               const std::function<bool()>& stop);

}  // namespace w4::depict
