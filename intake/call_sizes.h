// The values of an expression's variables for one call.
#pragma once

#include "intake/expression.h"
#include "kernels/module.h"

namespace w4 {

Sizes sizes_of(const w4_call& call, const w4_device& device);

}  // namespace w4
