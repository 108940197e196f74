// Kernels that are right but for one thing that breaks one law, for the fake device.
#pragma once

#include "kernels/module.h"

namespace w4::test {

// A kernel for each row of the table in law_breakers.cpp, named as it is there, all of which
// promise every law; and "promises_nothing", which is right.
const w4_module& law_breakers();

}  // namespace w4::test
