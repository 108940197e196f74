#include "devices/device.h"

namespace w4 {

std::string_view default_fp(std::string_view arch) {
  // The models that captures from chips of the family agree with (rdna/isa/README.md).
  if (arch == "cuda") return "cuda";
  return arch.starts_with("gfx12") ? "gfx1201" : "gfx1151";
}

Result<double> Device::time_launches(std::span<const w4_launch>, uint32_t) {
  return fail("{} has no clock of its own", gpu().arch);
}

Result<double> Device::time_copy(uint64_t, uint32_t) {
  return fail("{} has no clock of its own", gpu().arch);
}

}  // namespace w4
