// Launches of the driver that is not there: kernels compiled for the CPU, found by their symbols,
// and a few of the tests' own. An access to memory that is not mapped ends one, as on a GPU.
#pragma once

#include <string>

#include "devices/cuda_driver.h"
#include "kernels/module.h"

namespace w4 {

// 0: ran to its end. 1: there is no such kernel, or its arguments have another size; nothing ran.
// 700: illegal address. 719: lanes that did not meet, or another end.
CudaCode fake_launch(const std::string& symbol, const w4_launch& what);

}  // namespace w4
