// Text that survives a file format: what a crashed process wrote to stderr may be any bytes.
#pragma once

#include <string>
#include <string_view>

namespace w4 {

// Valid UTF-8 without control characters other than tab and newline; each other byte becomes the
// four characters \xNN. Text that is already so comes back unchanged.
std::string printable_utf8(std::string_view bytes);

// printable_utf8, then & < > " ' as entities: safe in XML 1.0 and HTML text and quoted attributes.
std::string markup_escape(std::string_view bytes);

}  // namespace w4
