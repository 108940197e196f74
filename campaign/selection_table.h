// A selection table from a file, in the format of docs/selection-table.md: rules as data, exported
// from another code base.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "kernels/selection.h"

namespace w4 {

// `file` is for messages: errors begin with "file:line:column: " and name the key and what is
// legal.
Result<SelectionTable> parse_selection_table(std::string_view text, std::string_view file);

}  // namespace w4
