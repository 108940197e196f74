// What is not the same between base and head, found out before anything runs: what each would do
// with a call (host code alone), the machine code of what it would launch, and, where that differs,
// how often its branches are taken.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "campaign/diff/pair.h"
#include "campaign/diff/route.h"
#include "campaign/gate/order.h"
#include "core/result.h"

namespace w4::gate {

struct SurveyOptions {
  std::vector<std::string> devices;  // at least one
  std::string kernel;                // regular expression of names; empty: all
  uint64_t seed = 1;
  int64_t most = 12'000;  // calls
  double seconds = 0;     // of look(): half of them are for asking, what is left for code
};

struct RouteChange {
  int64_t calls = 0;
  Case first{};
};

struct ChangedCode {
  std::string device, symbol, kernel;
  bool edges = false;   // its branches are taken otherwise, too
  bool looked = false;  // whether that was found out
};

struct Survey {
  std::vector<std::string> kernels;  // of head, that are asked
  std::vector<std::string> only_base, only_head;
  std::vector<Call> calls;  // in the order in which they were drawn
  std::map<diff::Change, RouteChange> routes;
  std::vector<ChangedCode> code;
  int64_t asked = 0;      // calls
  int64_t compared = 0;   // instantiations that both launch
  bool complete = false;  // the time was enough
  // Draws on where `calls` end: cases that nobody was asked about.
  std::function<std::optional<Case>()> more{};

  bool changed() const { return !routes.empty() || !code.empty() || !only_head.empty(); }
};

// The kernels, and where cases come from. Errors are a user's: no such kernel, a module that cannot
// be opened.
Result<Survey> declare(diff::Pair& pair, const SurveyOptions& options);

// The rest, until pair's budget is over.
void look(diff::Pair& pair, const SurveyOptions& options, Survey& s);

}  // namespace w4::gate
