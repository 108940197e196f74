// A depiction (verify/depict) as JSON for the page of a failure, small enough to keep hundreds.
// docs/report.md, "depiction", says what its members mean.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "verify/depict/depict.h"

namespace w4 {

// Bytes of text. Beyond it findings are left out, from the last on; they are counted.
inline constexpr size_t kDepictionBytes = 40'000;

nlohmann::json depiction_json(const depict::Depiction& d);

// One letter for a cell of the picture:
//   '-' unwritten   '?' not finite
//   '0'..'4' right, the error in quarters of the tolerance; '5'..'8' the same, negative, from 1 on
//   'A'..'X' wrong, error in tolerances: below 2, 4, 8, …; 'a'..'x' the same, negative
char letter_of(const depict::Cell& c);

}  // namespace w4
