// namespace torch: what at and c10 have, under its names.
#pragma once

#include "w4/context.h"
#include "w4/dispatch.h"
#include "w4/library.h"

namespace at {
using namespace c10;  // NOLINT: torch does the same name by name
}  // namespace at

namespace torch {
using namespace at;  // NOLINT
using at::Tensor;
using Dtype = c10::ScalarType;
using IntArrayRef = c10::IntArrayRef;
namespace cuda {
using namespace at::cuda;  // NOLINT
}
}  // namespace torch
