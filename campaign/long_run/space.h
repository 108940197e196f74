// Whether there is space for what a campaign writes.
#pragma once

#include <string>

namespace w4 {

// Asked after something could not be written: true where another file beside PATH cannot grow to
// 1 MiB either, for want of space, of quota or of what a file may hold. Leaves nothing behind.
bool lacks_space(const std::string& path);

}  // namespace w4
