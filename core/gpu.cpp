#include "core/gpu.h"

#include <algorithm>
#include <array>

namespace w4 {
namespace {

// WGPs of the largest common part with that arch: half the published compute units. Those of
// gfx1100, gfx1151 and gfx1201 are in contract.md 14; the others are data sheet values (inferred).
constexpr std::array<GpuModel, 8> kModels{{{"gfx1100", 11, 32, 48, 65536, 1024, 1536, 24},
                                           {"gfx1101", 11, 32, 30, 65536, 1024, 1536, 24},
                                           {"gfx1102", 11, 32, 16, 65536, 1024, 1024, 16},
                                           {"gfx1103", 11, 32, 6, 65536, 1024, 1024, 16},
                                           {"gfx1150", 11, 32, 8, 65536, 1024, 1024, 16},
                                           {"gfx1151", 11, 32, 20, 65536, 1024, 1536, 24},
                                           {"gfx1200", 12, 32, 16, 65536, 1024, 1536, 24},
                                           {"gfx1201", 12, 32, 32, 65536, 1024, 1536, 24}}};

}  // namespace

std::span<const GpuModel> gpu_models() { return kModels; }

const GpuModel* find_gpu(std::string_view arch) {
  for (const GpuModel& m : kModels) {
    if (m.arch == arch) return &m;
  }
  return nullptr;
}

int waves_per_simd(const GpuModel& gpu, int vgprs) {
  constexpr int kWaves = 16;
  const int granules = (std::max(vgprs, 1) + gpu.vgpr_granule - 1) / gpu.vgpr_granule;
  return std::min(kWaves, gpu.vgprs_per_simd / (granules * gpu.vgpr_granule));
}

}  // namespace w4
