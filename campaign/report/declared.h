// What each row of the kernel table says about itself, in the field's terms and as JSON: the calls
// it takes, its numerics, the laws it promises, the code that is built in. docs/report.md.
#pragma once

#include <nlohmann/json.hpp>

namespace w4 {

// An object a row, in the order of the table.
nlohmann::json declared_kernels();

}  // namespace w4
