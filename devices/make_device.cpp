#include <string>

#include "devices/device.h"
#include "devices/emulated.h"
#include "devices/host.h"

namespace w4 {

Result<std::unique_ptr<Device>> make_device(std::string_view name) {
  if (const GpuModel* gpu = find_gpu(name)) return make_emulated_device(*gpu);
  if (name == "host") return make_host_device();
  if (name == "hip" || name == "cuda") {
    return fail("device: '{}' is not built yet; legal now: the emulated archs and host", name);
  }
  std::string legal;
  for (const GpuModel& gpu : gpu_models())
    legal += (legal.empty() ? "" : ", ") + std::string(gpu.arch);
  return fail("device: '{}' is not a device; legal: {}, host", name, legal);
}

std::string_view default_fp(std::string_view arch) {
  // The models that captures from chips of the family agree with (rdna/isa/README.md).
  if (arch == "cuda") return "cuda";
  return arch.starts_with("gfx12") ? "gfx1201" : "gfx1151";
}

}  // namespace w4
