// Names the element of a tensor that a finding's byte offset means.
#pragma once

#include <string>

#include "core/finding.h"
#include "verify/operands.h"

namespace w4 {

// "act[m=3, k=127]", "wei[e=1, n=2, k=8..15]" with experts, "out[slot=3, n=5]", "expert_ids[4]",
// "wei[n=2, k=8..15]", "scale[n=2, group=1]", "zp[n=0..7, group=1]", "the pad behind row 3 of act";
// empty where the buffer is no operand or the offset lies outside it. `offset` in bytes from the
// operand's first element, as findings have it.
std::string element_at(const Operands& ops, std::string_view buffer, int64_t offset);

// Adds the element to the detail of a finding in an operand.
void name_element(const Operands& ops, Finding& f);

}  // namespace w4
