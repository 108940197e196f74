// Stand-in for vLLM's header of this name: which fp8 the device has. Its conversions are not here.
#pragma once

#include <string>

#include "torch/all.h"

[[maybe_unused]] static bool is_fp8_ocp() {
  const std::string arch = at::cuda::getCurrentDeviceProperties()->gcnArchName;
  return arch.find("gfx94") == std::string::npos;
}
