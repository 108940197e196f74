// Whether the table that a module hands out can be used: what is missing in it, or names what
// nobody knows, is said once as it is opened and not by a crash in the middle of a case. Pointers
// that point nowhere cannot be told from others.
#pragma once

#include "core/result.h"
#include "kernels/module.h"

namespace w4 {

// On input: `table` has this version and this size of w4_kernel. Errors name the kernel, the field,
// its value and what is legal.
Result<void> check_table(const w4_module& table);

// Of what numerics_of gives as well as of the field `numerics`.
Result<void> check_numerics(const w4_numerics* numerics);

}  // namespace w4
