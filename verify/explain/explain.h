// `w4check explain`: why a line is not green. The line is rerun with fill=integer, where every sum
// is exact in any order, and each hypothesis of the table (hypothesis.h) is held against every
// element, bit for bit; further seeds, fill=flat and other shapes of the same kind tell apart what
// fits. A failure that exact sums do not show is matched within bounds on its own fill, and only
// one hypothesis may fit then. Where none does, the pattern of the failure is described.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"
#include "verify/context.h"

namespace w4::explain {

enum class Certainty : uint8_t {
  nothing,   // the line is green
  stated,    // the verdict says it all: a finding, a refusal, …
  exact,     // one hypothesis, bit for bit
  within,    // one hypothesis, within the bounds of its sums
  affected,  // it predicts which elements are wrong: their values depend on what lies outside
  several,   // some hypotheses predict the same everywhere
  none,      // none fits
};
std::string_view name_of(Certainty c);

struct Named {
  std::string name, says, defects;
  std::vector<std::string> also;  // its variants that predict the same
};

struct Explanation {
  Verdict verdict;  // of the line itself
  Certainty certainty = Certainty::stated;
  std::string says;                  // one sentence
  std::vector<Named> named;          // hypotheses that fit, best first
  int64_t elements = 0;              // that each of them predicted
  std::string how;                   // how sure: elements, runs; or what would tell several apart
  std::vector<std::string> pattern;  // where none fits
  std::string interval;              // of the worst element, where bounds decide
  std::vector<std::string> lines;    // what was run for it
};

struct Options {
  double seconds = 120;                               // after which it says what it has
  std::function<bool()> stop = [] { return false; };  // asked between runs: the same, now
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

// Any case; never throws for what a module does. Native modules run in this process.
Explanation explain(const Case& c, Context& context, const Options& options = {});

// For a person, without the verdict's own text.
std::string to_string(const Explanation& e);

}  // namespace w4::explain
