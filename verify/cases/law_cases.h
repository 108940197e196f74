// Cases of relations (`law=`): a legal case of a row, bent so that the law applies to it more
// often.
#pragma once

#include <string_view>

#include "core/law.h"
#include "verify/cases/row_cases.h"

namespace w4 {

// Makes `law` apply to a legal case more often, or say more. What it makes is legal, and its pass
// proves something (signal.h).
void bend_for(Law law, Case& c, Chooser& choose);

// Whether calls of this row can have the law at all.
bool law_fits(Law law, std::string_view row);

// A case of `row` with one of the laws that fit it.
Case choose_law_case(Chooser& choose, const CaseLimits& limits, std::string_view row);

}  // namespace w4
