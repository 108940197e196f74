// What kernels take of a GPU's time or of an emulated one's instructions (document "bench").
#pragma once

#include <memory>

#include "reports/section.h"

namespace w4 {

std::unique_ptr<Section> bench_section();  // "bench"

}  // namespace w4
