#pragma once
#include "w4/cuda_names.h"  // IWYU pragma: export
