// Streams and events: everything has happened when the call that asks for it returns.
#pragma once

#include "intake/hip/session.h"

namespace w4::hip {

// Null, one of HIP's special handles, or from hipStreamCreate and not destroyed; otherwise says so.
bool known_stream(const Call& c, void* stream);

}  // namespace w4::hip
