// The first screen: one sentence whether it is safe to ship, what to do, and the counts behind it.
#pragma once

#include <memory>

#include "reports/section.h"

namespace w4 {

std::unique_ptr<Section> overview_section();  // "summary"

}  // namespace w4
