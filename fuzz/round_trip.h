// Weights there and back: numbers that stand for nothing are packed as a case's checkpoint, a
// kernel's module prepares them, and what it made is read back through the inverses of
// core/layout.h, one code after the other.
#pragma once

#include <optional>
#include <string>

#include "core/case.h"
#include "kernels/module.h"

namespace w4::fuzz {

// What is wrong with how `kernel` prepares the weights of this legal case, in one sentence; nothing
// where it is right: the checkpoint holds the numbers, preparation is not refused, weights (codes,
// or fl_T((q-z)*s) for kernels of dense ones), scales, zero points and carrier are the shard's,
// types and strides are what was asked for, pads are zeros, and a second preparation of prepared
// codes changes nothing. `more`: words that rows of the checkpoint's tensors are longer than their
// columns, filled with a pattern.
std::optional<std::string> wrong_preparation(const Case& c, const w4_kernel& kernel, int64_t more);

}  // namespace w4::fuzz
