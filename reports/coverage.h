// How much of the contract's space the cases of a run covered.
#pragma once

#include <memory>

#include "reports/section.h"

namespace w4 {

std::unique_ptr<Section> coverage_section();  // "coverage"

}  // namespace w4
