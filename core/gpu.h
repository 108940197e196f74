// GPU models: what an arch is, and what a device reports to host code. The two differ on purpose:
// a case may report 160 KiB of LDS or 7 compute units on any arch (design.md, "Case line").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace w4 {

struct GpuModel {
  std::string_view arch;  // "gfx1151"
  int family;             // 11 or 12
  int wave;               // lanes per wave: 32
  int wgps;  // HIP multiProcessorCount of a typical part: WGPs, not CUs (contract.md 14)
  int64_t lds_per_block;      // bytes a workgroup may use: 65536 on all of them
  int max_threads_per_block;  // 1024
  // Wave32: registers of one lane that a SIMD's waves share, and the granule in which a wave gets
  // them (LLVM 19, AMDGPUBaseInfo: getTotalNumVGPRs, getVGPRAllocGranule; checked against the
  // occupancy that clang reports for the decode kernels on all eight).
  int vgprs_per_simd, vgpr_granule;
};

// Waves of a kernel with so many VGPRs that one SIMD holds, 16 at most; a WGP has four SIMDs.
// On input: vgprs at most 256.
int waves_per_simd(const GpuModel& gpu, int vgprs);

std::span<const GpuModel> gpu_models();  // gfx1100 1101 1102 1103 1150 1151 1200 1201
const GpuModel* find_gpu(std::string_view arch);

// `device=` of a case that is no emulated arch: host, hip or cuda. Its code is the machine's own
// and may take the process down.
inline bool is_native_device(std::string_view device) {
  return device == "host" || device == "hip" || device == "cuda";
}

// What host code sees: hipDeviceProp's multiProcessorCount and sharedMemPerBlock.
struct Reported {
  int64_t cus = 0;
  int64_t lds = 0;
};

}  // namespace w4
