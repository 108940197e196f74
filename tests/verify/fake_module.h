// A module whose kernels compute decode on a FakeDevice, each in its own way: the names say how.
//   right            as declared
//   strided          as right, with no clause on strides (for pads and gaps)
//   wrong_value      out[0,3] is 64 ulp off
//   unwritten        out[0,1] is left alone
//   unchecked        accepts and runs whatever comes
//   refuses_legal    refuses every call by clause m.range
//   touches          writes out[0,0], then refuses as it should
//   false_alarm      an undefined-data alarm that the confirming run does not repeat
//   true_alarm       … that it does repeat
//   lost_race        a race that the confirming run does not repeat
//   unsupported, step_limit
//   other_group      says that it ran G = 128
//   idle             reports success without a launch
#pragma once

#include "kernels/module.h"

namespace w4::test {

const w4_module& fake_module();

}  // namespace w4::test
