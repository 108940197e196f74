// The lines of a source that come nearest to a text that is no longer in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace w4 {

struct Nearest {
  int line = 0;                    // of the first, from 1
  std::vector<std::string> lines;  // without the white space at their ends
  double alike = 0;                // common words in order, of the longer's number: 0 to 1
};

// Of all runs of as many lines as the text has, one fewer or one more, the most alike; the first of
// equals. nullopt: not a word in common.
std::optional<Nearest> nearest(std::string_view text, std::string_view source);

}  // namespace w4
