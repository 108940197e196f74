// The kernel table: the built-in module.
#pragma once

#include <span>

#include "kernels/module.h"

namespace w4 {

inline constexpr w4_layout kPackedZeroPoints[] = {W4_ZP_PACKED};
inline constexpr w4_layout kAllZeroPoints[] = {W4_ZP_PACKED, W4_ZP_UNPACKED};

// A row with what all built-in ones have alike: every arch of this build, every law that can hold
// bit for bit, checkpoints prepared as dense layers. zp_layouts: one of the above.
w4_kernel built_in_row(std::span<const w4_layout> zp_layouts);

// The built-in module; its kernels are the rows of kernels/kernels.inc.
const w4_module& builtin_module();

}  // namespace w4
