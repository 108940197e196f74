#include <string>

#include "devices/device.h"
#include "devices/emulated.h"
#include "devices/gpu_api.h"
#include "devices/gpu_device.h"
#include "devices/host.h"

namespace w4 {

Result<std::unique_ptr<Device>> make_device(std::string_view name) {
  if (const GpuModel* gpu = find_gpu(name)) return make_emulated_device(*gpu);
  if (name == "host") return make_host_device();
  if (name == "hip" || name == "cuda") {
    auto api = name == "hip" ? open_hip() : open_cuda();
    if (!api) return fail("device={}: {}", name, api.error().text);
    return make_gpu_device(std::string(name), std::move(*api));
  }
  std::string legal;
  for (const GpuModel& gpu : gpu_models())
    legal += (legal.empty() ? "" : ", ") + std::string(gpu.arch);
  return fail("device: '{}' is not a device; legal: {}, host, hip, cuda", name, legal);
}

}  // namespace w4
