// What is not the same between two versions of a module (document "diff").
#pragma once

#include <memory>

#include "reports/section.h"

namespace w4 {

std::unique_ptr<Section> diff_section();  // "diff"

}  // namespace w4
