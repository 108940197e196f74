// `w4check intake --fatbin FILE`: the code objects in a file, listed or taken out.
#pragma once

#include "campaign/intake.h"

namespace w4 {

int intake_fatbin(const IntakeCommand& c);

}  // namespace w4
