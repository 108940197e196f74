// What each kernel declares, asks of the machine and is made of: facts "kernels" of the command,
// documents "figures" and "code".
#pragma once

#include <memory>

#include "reports/section.h"

namespace w4 {

std::unique_ptr<Section> kernels_section();  // "kernels"

}  // namespace w4
