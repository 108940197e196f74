// What reports/web was bundled into: linked into the binary as it is.
#pragma once

#include <string_view>

namespace w4 {

std::string_view report_script();
std::string_view report_style();

}  // namespace w4
