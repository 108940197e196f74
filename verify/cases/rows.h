// The generators of rows, one function a row; choose_case picks among them.
#pragma once

#include "verify/cases/row_cases.h"

namespace w4 {

Case choose_decode(Chooser& choose, const CaseLimits& limits);
Case choose_chunked(Chooser& choose, const CaseLimits& limits);
Case choose_hybrid(Chooser& choose, const CaseLimits& limits);
Case choose_prefill(Chooser& choose, const CaseLimits& limits, std::string_view row);
Case choose_moe(Chooser& choose, const CaseLimits& limits);
Case choose_moe_prefill(Chooser& choose, const CaseLimits& limits);

}  // namespace w4
