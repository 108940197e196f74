#include "verify/build_id.h"

#include "w4/build_id.h"

namespace w4 {

std::string build_id() { return kBuildId; }

}  // namespace w4
