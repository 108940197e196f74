// A finding with the lines of source around the places that it names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/finding.h"

namespace w4::depict {

struct Excerpt {
  std::string place;              // "walk.h:203": without directories
  int64_t first = 0, line = 0;    // numbers of the first line that is shown, and of the place
  std::vector<std::string> text;  // empty: the file cannot be read, `why_not` says why
  std::string why_not;
};

struct ShownParty {
  Party party;
  std::vector<Excerpt> excerpts;  // the innermost place, then the calls it was inlined into
  std::string why_not;            // where there is none
};

struct ShownFinding {
  Finding finding;
  ShownParty at;
  std::vector<ShownParty> other;  // the earlier access of a race: none or one
};

// `file`: "path:line", as Party::files has it. `around` lines before and after it.
Excerpt excerpt_of(const std::string& file, int64_t around = 4);

ShownFinding show(const Finding& f);

}  // namespace w4::depict
