// The float operations by stem ("add", "rcp", "min3"), for whatever prefix has them.
#pragma once

#include "tests/rdna/isa/reference.h"

namespace w4::rdna::test {

std::string suffix(Kind k);  // f16, f32, f64

// References of every row prefix + stem + type that the table has: "v_", "s_", "v_s_".
std::vector<Reference> arithmetic(std::string_view prefix);

}  // namespace w4::rdna::test
