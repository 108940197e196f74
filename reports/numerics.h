// How much of their intervals the cases of a run used, and to which side their errors lean.
#pragma once

#include <memory>

#include "reports/section.h"

namespace w4 {

std::unique_ptr<Section> numerics_section();  // "numerics"

}  // namespace w4
