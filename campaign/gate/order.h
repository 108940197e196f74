// Which calls run first: those that changes touch.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/case.h"

namespace w4::gate {

// In the order in which they run.
enum class Why : uint8_t {
  route,  // the two would do different things with the call
  edges,  // it launches code that differs and whose branches are taken otherwise
  code,   // it launches code that differs
  other,
};

struct Call {
  Case value;
  Why why = Why::other;
  std::string what{};  // the change it shows: a route, an instantiation
};

// Stable. Of every eight calls seven are by `why`, and of one `why` those of different `what` in
// turn; the eighth is the next that no change touches.
std::vector<Call> in_order(std::vector<Call> calls);

}  // namespace w4::gate
