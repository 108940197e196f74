#pragma once
#include "hip/hip_bf16.h"   // IWYU pragma: export
#include "w4/cuda_names.h"  // IWYU pragma: export
