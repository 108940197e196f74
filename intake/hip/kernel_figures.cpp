// What a kernel takes of the device: its attributes, and how many blocks of it one multiprocessor
// holds.
#include <algorithm>
#include <array>
#include <tuple>

#include "core/gpu.h"
#include "intake/hip/code.h"
#include "intake/hip/figures.h"

namespace w4::hip {
namespace {

// Blocks that one multiprocessor (a WGP: 4 SIMDs, 128 KiB of LDS, 32 blocks) holds.
int blocks_per_multiprocessor(const Call& c, const rdna::KernelInfo& k, int block, size_t lds) {
  const GpuModel* gpu = find_gpu(c.device().arch);
  if (!gpu || block <= 0 || block > gpu->max_threads_per_block) return 0;
  const int waves = (block + gpu->wave - 1) / gpu->wave;
  int blocks = std::min(32, 4 * waves_per_simd(*gpu, static_cast<int>(k.vgprs)) / waves);
  if (const size_t used = k.static_lds + lds; used != 0)
    blocks = std::min<int>(blocks, static_cast<int>(2 * 65536 / used));
  return blocks;
}

// `function`: a function of a module (`handle`), or the host function that stands for a kernel.
Status kernel_behind(const Call& c, const void* function, bool handle, Kernel& k) {
  if (!handle) return kernel_of(c, function, k);
  const Kernel* known = kernel_of_handle(function);
  if (!known) return c.bad(kInvalidHandle, "{} is no function of a module", function);
  k = *known;
  return kSuccess;
}

Status occupancy(const char* name, int* blocks, const void* function, int block, size_t lds,
                 bool handle) {
  return call(name, [&](Call& c) -> Status {
    if (!blocks) return c.bad(kInvalidValue, "numBlocks is null");
    Kernel k;
    if (const Status s = kernel_behind(c, function, handle, k); s != kSuccess) return s;
    if (block <= 0) return c.bad(kInvalidValue, "blockSize {}; legal: 1 and more", block);
    *blocks = blocks_per_multiprocessor(c, *k.info, block, lds);
    return kSuccess;
  });
}

Status best_block(const char* name, int* grid, int* block, const void* function, size_t lds,
                  int limit, bool handle) {
  return call(name, [&](Call& c) -> Status {
    if (!grid || !block) return c.bad(kInvalidValue, "gridSize or blockSize is null");
    Kernel k;
    if (const Status s = kernel_behind(c, function, handle, k); s != kSuccess) return s;
    const Figures f = figures(c);
    int most = f.threads;
    if (k.info->max_workgroup) most = std::min(most, static_cast<int>(k.info->max_workgroup));
    if (limit > 0) most = std::min(most, limit);
    int best = 0, best_blocks = 0;
    for (int b = most / f.wave * f.wave; b > 0; b -= f.wave) {
      const int n = blocks_per_multiprocessor(c, *k.info, b, lds);
      if (n * b > best_blocks * best) std::tie(best, best_blocks) = std::pair(b, n);
    }
    *block = best ? best : most;
    *grid = best_blocks * f.cus;
    return kSuccess;
  });
}

Status function_attributes(const Call& c, const void* function, FunctionAttributes& out) {
  Kernel k;
  if (const Status s = kernel_of(c, function, k); s != kSuccess) return s;
  const Figures f = figures(c);
  out = {};
  out.binaryVersion = out.ptxVersion = f.major * 10 + f.minor;
  out.localSizeBytes = k.info->scratch_bytes;
  out.sharedSizeBytes = k.info->static_lds;
  out.numRegs = static_cast<int>(k.info->vgprs);
  out.maxThreadsPerBlock =
      k.info->max_workgroup ? static_cast<int>(k.info->max_workgroup) : f.threads;
  out.maxDynamicSharedSizeBytes =
      static_cast<int>(f.lds - std::min<size_t>(f.lds, k.info->static_lds));
  return kSuccess;
}

}  // namespace
}  // namespace w4::hip

using namespace w4::hip;

W4HIP_API Status hipFuncGetAttributes(FunctionAttributes* out, const void* function) {
  return call("hipFuncGetAttributes", [&](Call& c) -> Status {
    if (!out) return c.bad(kInvalidValue, "attr is null");
    return function_attributes(c, function, *out);
  });
}
// Of a function of a module; the numbers are those of CUfunction_attribute.
W4HIP_API Status hipFuncGetAttribute(int* value, int which, void* function) {
  return call("hipFuncGetAttribute", [&](Call& c) -> Status {
    if (!value) return c.bad(kInvalidValue, "value is null");
    FunctionAttributes a;
    if (const Status s = function_attributes(c, function, a); s != kSuccess) return s;
    const std::array<int, 10> values{a.maxThreadsPerBlock,
                                     static_cast<int>(a.sharedSizeBytes),
                                     static_cast<int>(a.constSizeBytes),
                                     static_cast<int>(a.localSizeBytes),
                                     a.numRegs,
                                     a.ptxVersion,
                                     a.binaryVersion,
                                     a.cacheModeCA,
                                     a.maxDynamicSharedSizeBytes,
                                     a.preferredShmemCarveout};
    if (which < 0 || which >= static_cast<int>(values.size()))
      return c.bad(kInvalidValue, "attribute {}; legal: 0 to {}", which, values.size() - 1);
    *value = values[static_cast<size_t>(which)];
    return kSuccess;
  });
}
// 8: the most dynamic LDS a launch may ask for, 9: a carveout, which does nothing.
W4HIP_API Status hipFuncSetAttribute(const void* function, int which, int value) {
  return call("hipFuncSetAttribute", [&](Call& c) -> Status {
    FunctionAttributes a;
    if (const Status s = function_attributes(c, function, a); s != kSuccess) return s;
    if (which != 8 && which != 9)
      return c.bad(kInvalidValue,
                   "attribute {}; legal: hipFuncAttributeMaxDynamicSharedMemorySize, "
                   "hipFuncAttributePreferredSharedMemoryCarveout",
                   which);
    if (which == 8 && (value < 0 || value > a.maxDynamicSharedSizeBytes))
      return c.bad(kInvalidValue, "{} bytes of dynamic LDS; legal: 0 to {}", value,
                   a.maxDynamicSharedSizeBytes);
    return kSuccess;
  });
}

W4HIP_API Status hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                              int block, size_t lds) {
  return occupancy("hipOccupancyMaxActiveBlocksPerMultiprocessor", blocks, function, block, lds,
                   false);
}
W4HIP_API Status hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                       const void* function,
                                                                       int block, size_t lds,
                                                                       unsigned) {
  return occupancy("hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, function, block,
                   lds, false);
}
W4HIP_API Status hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function,
                                                                    int block, size_t lds) {
  return occupancy("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", blocks, function, block,
                   lds, true);
}
W4HIP_API Status hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                             void* function,
                                                                             int block, size_t lds,
                                                                             unsigned) {
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, lds);
}
W4HIP_API Status hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* function,
                                                   size_t lds, int limit) {
  return best_block("hipOccupancyMaxPotentialBlockSize", grid, block, function, lds, limit, false);
}
W4HIP_API Status hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, void* function,
                                                         size_t lds, int limit) {
  return best_block("hipModuleOccupancyMaxPotentialBlockSize", grid, block, function, lds, limit,
                    true);
}
W4HIP_API Status hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block,
                                                                  void* function, size_t lds,
                                                                  int limit, unsigned) {
  return hipModuleOccupancyMaxPotentialBlockSize(grid, block, function, lds, limit);
}
