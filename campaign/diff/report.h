// A diff as JSON, and the job's bookkeeping.
#pragma once

#include <string>
#include <vector>

#include "campaign/diff/difference.h"

namespace w4::diff {

struct Report {
  std::string a, b;  // modules as they were given
  std::vector<Section> sections{};
  std::vector<std::string> stale{};  // entries of --accept that declared nothing
  double seconds = 0;
  bool interrupted = false, budget_over = false;

  size_t differences() const;
};

std::string json_text(const Report& r);

}  // namespace w4::diff
