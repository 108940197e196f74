// The frame of the page: its style and the one script (copying a rerun line).
#pragma once

#include <string>
#include <string_view>

namespace w4 {

// `title` is text, `body` markup.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace w4
