// Operands of a call as manifests speak of them.
#pragma once

#include "core/gpu.h"
#include "core/result.h"
#include "intake/manifest.h"
#include "kernels/module.h"

namespace w4 {

const w4_tensor* tensor_of(const w4_call& call, Role role);  // nullptr: absent

// The same bytes with elements of `dtype`: the last dimension grows or shrinks. Errors: rows are
// not whole elements of it.
Result<w4_tensor> seen_as(const w4_tensor& t, w4_dtype dtype);

}  // namespace w4
