// Times that somebody else measured, to stand beside ours (--with).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/bench/rows.h"

namespace w4::bench {

// {"rows": [{"who": …, "n": …, "k": …, "m": …, "g": …, "seconds": …}, …]}; a row may also say
// "shape" (default: the name of ours of its N and K) and "state", cold or warm (default cold).
// Other members are left alone. Errors name the member.
Result<std::vector<Foreign>> read_foreign(std::string_view json);

// Names shapes as `rows` does, where they have no name.
void name_shapes(std::vector<Foreign>& foreign, const std::vector<Row>& rows);

}  // namespace w4::bench
