#include "devices/device.h"

namespace w4 {

Result<double> Device::time_launches(std::span<const w4_launch>, uint32_t) {
  return fail("{} has no clock of its own", gpu().arch);
}

Result<double> Device::time_copy(uint64_t, uint32_t) {
  return fail("{} has no clock of its own", gpu().arch);
}

}  // namespace w4
