// What the harness catches: the mutants of the zoo, by which oracle and how soon (document "zoo").
#pragma once

#include <memory>

#include "reports/section.h"

namespace w4 {

std::unique_ptr<Section> zoo_section();  // "zoo"

}  // namespace w4
