#include "core/gpu.h"

#include <array>

namespace w4 {
namespace {

// WGPs of the largest common part with that arch: half the published compute units. Those of
// gfx1100, gfx1151 and gfx1201 are in contract.md 14; the others are data sheet values (inferred).
constexpr std::array<GpuModel, 8> kModels{{{"gfx1100", 11, 32, 48, 65536, 1024},
                                           {"gfx1101", 11, 32, 30, 65536, 1024},
                                           {"gfx1102", 11, 32, 16, 65536, 1024},
                                           {"gfx1103", 11, 32, 6, 65536, 1024},
                                           {"gfx1150", 11, 32, 8, 65536, 1024},
                                           {"gfx1151", 11, 32, 20, 65536, 1024},
                                           {"gfx1200", 12, 32, 16, 65536, 1024},
                                           {"gfx1201", 12, 32, 32, 65536, 1024}}};

}  // namespace

std::span<const GpuModel> gpu_models() { return kModels; }

const GpuModel* find_gpu(std::string_view arch) {
  for (const GpuModel& m : kModels) {
    if (m.arch == arch) return &m;
  }
  return nullptr;
}

}  // namespace w4
