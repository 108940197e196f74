// What the device is. Figures that w4check models come from the bound device or the environment;
// what nothing here models (clocks, caches, textures) is 0.
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <tuple>

#include "core/gpu.h"
#include "intake/hip/code.h"
#include "intake/hip/memory.h"
#include "intake/hip/own_device.h"

namespace w4::hip {
namespace {

// The figures that properties and attributes are made of.
struct Figures {
  std::string arch;
  int major = 0, minor = 0, stepping = 0;
  int cus = 0, wave = 0, threads = 0, threads_per_multiprocessor = 0, registers = 0;
  size_t lds = 0;
  static constexpr size_t kMemory = size_t{32} << 30;
  static constexpr int kGrid[3] = {0x7fffffff, 65535, 65535};
};

Figures figures(const Call& c) {
  const w4_device& d = c.device();
  Figures f;
  f.arch = d.arch;
  // gfxMMmS: the last two digits are hexadecimal.
  if (f.arch.size() == 7 && f.arch.starts_with("gfx")) {
    f.major = (f.arch[3] - '0') * 10 + (f.arch[4] - '0');
    f.minor = f.arch[5] - '0';
    f.stepping = f.arch[6] <= '9' ? f.arch[6] - '0' : f.arch[6] - 'a' + 10;
  }
  f.cus = static_cast<int>(d.property(d.self, W4_PROP_CU_COUNT));
  f.lds = static_cast<size_t>(d.property(d.self, W4_PROP_LDS_PER_BLOCK));
  f.wave = static_cast<int>(d.property(d.self, W4_PROP_WAVE));
  f.threads = static_cast<int>(d.property(d.self, W4_PROP_MAX_THREADS));
  // 4 SIMDs of 16 waves.
  f.threads_per_multiprocessor = 64 * f.wave;
  if (const GpuModel* gpu = find_gpu(f.arch)) f.registers = gpu->vgprs_per_simd * gpu->wave * 4;
  return f;
}

// The fields that both layouts have under one name.
template <class P>
void fill_common(P& p, const Figures& f) {
  std::memset(&p, 0, sizeof p);
  const auto text = [](auto& to, const std::string& from) {
    std::memcpy(to, from.c_str(), std::min(from.size() + 1, sizeof to));
  };
  text(p.name, "w4check emulated " + f.arch);
  text(p.gcnArchName, f.arch);
  p.totalGlobalMem = p.totalConstMem = Figures::kMemory;
  p.sharedMemPerBlock = p.maxSharedMemoryPerMultiProcessor = f.lds;
  p.regsPerBlock = f.registers;
  p.warpSize = f.wave;
  p.maxThreadsPerBlock = f.threads;
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = f.threads;
    p.maxGridSize[i] = Figures::kGrid[i];
  }
  p.major = f.major;
  p.minor = f.minor;
  p.multiProcessorCount = f.cus;
  p.maxThreadsPerMultiProcessor = f.threads_per_multiprocessor;
  p.memPitch = 0x7fffffff;
  p.arch = 0x7ffff & ~(1u << 11) & ~(1u << 18);  // all but funnel shift and dynamic parallelism
}

Status bad_device(const Call& c, int device) {
  return c.bad(kInvalidDevice, "device {}; legal: 0, the one there is", device);
}

template <class P>
Status properties(const char* name, P* p, int device) {
  return call(name, [&](Call& c) -> Status {
    if (!p) return c.bad(kInvalidValue, "prop is null");
    if (device != 0) return bad_device(c, device);
    const Figures f = figures(c);
    fill_common(*p, f);
    if constexpr (std::is_same_v<P, PropertiesR0600>) {
      p->sharedMemPerMultiprocessor = p->sharedMemPerBlockOptin = f.lds;
      p->regsPerMultiprocessor = f.registers;
      p->unifiedAddressing = 1;
    } else {
      p->gcnArch = f.major * 100 + f.minor * 10 + f.stepping;
    }
    return kSuccess;
  });
}

// hipDeviceAttribute_t of ROCm 5.2 to 7, which kept its numbers; those that are not 0 here.
enum Attribute : int {
  kMajor = 23,
  kMaxBlockX = 26,
  kMaxBlockY = 27,
  kMaxBlockZ = 28,
  kMaxGridX = 29,
  kMaxGridY = 30,
  kMaxGridZ = 31,
  kMaxThreadsDim = 55,
  kMaxThreadsPerBlock = 56,
  kMaxThreadsPerMultiProcessor = 57,
  kMaxPitch = 58,
  kMinor = 61,
  kMultiprocessors = 63,
  kRegistersPerBlock = 71,
  kRegistersPerMultiprocessor = 72,
  kLdsPerBlock = 74,
  kLdsPerBlockOptin = 75,
  kLdsPerMultiprocessor = 76,
  kTotalConst = 83,
  kTotalMemory = 84,
  kUnifiedAddressing = 85,
  kWarpSize = 87,
  kLastCommon = 99,
  kAmdFirst = 10000,
  kLdsPerMultiprocessorAmd = 10002,
  kGcnArch = 10003,
  kPhysicalMultiprocessors = 10015,
  kAmdLast = 10020,
};

Result<int> attribute(const Figures& f, int which) {
  switch (which) {
    case kMajor:
      return f.major;
    case kMinor:
      return f.minor;
    case kMaxBlockX:
    case kMaxBlockY:
    case kMaxBlockZ:
    case kMaxThreadsDim:
    case kMaxThreadsPerBlock:
      return f.threads;
    case kMaxGridX:
    case kMaxGridY:
    case kMaxGridZ:
      return Figures::kGrid[which - kMaxGridX];
    case kMaxThreadsPerMultiProcessor:
      return f.threads_per_multiprocessor;
    case kMaxPitch:
    case kTotalConst:
    case kTotalMemory:  // 32 GiB do not fit an int
      return 0x7fffffff;
    case kMultiprocessors:
    case kPhysicalMultiprocessors:
      return f.cus;
    case kRegistersPerBlock:
    case kRegistersPerMultiprocessor:
      return f.registers;
    case kLdsPerBlock:
    case kLdsPerBlockOptin:
    case kLdsPerMultiprocessor:
    case kLdsPerMultiprocessorAmd:
      return static_cast<int>(f.lds);
    case kUnifiedAddressing:
      return 1;
    case kWarpSize:
      return f.wave;
    case kGcnArch:
      return f.major * 100 + f.minor * 10 + f.stepping;
    default:
      if ((which >= 0 && which <= kLastCommon) || (which >= kAmdFirst && which <= kAmdLast))
        return 0;
      return fail("attribute {} is none that is known", which);
  }
}

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

Status occupancy(const char* name, int* blocks, const void* function, int block, size_t lds,
                 bool handle) {
  return call(name, [&](Call& c) -> Status {
    if (!blocks) return c.bad(kInvalidValue, "numBlocks is null");
    Kernel k;
    if (handle) {
      const Kernel* known = kernel_of_handle(function);
      if (!known) return c.bad(kInvalidHandle, "{} is no function of a module", function);
      k = *known;
    } else if (const Status s = kernel_of(c, function, k); s != kSuccess) {
      return s;
    }
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
    if (handle) {
      const Kernel* known = kernel_of_handle(function);
      if (!known) return c.bad(kInvalidHandle, "{} is no function of a module", function);
      k = *known;
    } else if (const Status s = kernel_of(c, function, k); s != kSuccess) {
      return s;
    }
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

W4HIP_API Status hipInit(unsigned) {
  return call("hipInit", [](Call&) { return kSuccess; });
}
W4HIP_API Status hipGetDeviceCount(int* count) {
  return call("hipGetDeviceCount", [&](Call& c) -> Status {
    if (!count) return c.bad(kInvalidValue, "count is null");
    *count = 1;
    return kSuccess;
  });
}
W4HIP_API Status hipGetDevice(int* device) {
  return call("hipGetDevice", [&](Call& c) -> Status {
    if (!device) return c.bad(kInvalidValue, "deviceId is null");
    *device = 0;
    return kSuccess;
  });
}
W4HIP_API Status hipSetDevice(int device) {
  return call("hipSetDevice",
              [&](Call& c) { return device == 0 ? kSuccess : bad_device(c, device); });
}
W4HIP_API Status hipDeviceGet(int* device, int ordinal) {
  return call("hipDeviceGet", [&](Call& c) -> Status {
    if (ordinal != 0) return bad_device(c, ordinal);
    if (device) *device = 0;
    return kSuccess;
  });
}
W4HIP_API Status hipSetDeviceFlags(unsigned) {
  return call("hipSetDeviceFlags", [](Call&) { return kSuccess; });
}
W4HIP_API Status hipGetDeviceFlags(unsigned* flags) {
  if (flags) *flags = 0;
  return kSuccess;
}
W4HIP_API Status hipDeviceSynchronize() {
  return call("hipDeviceSynchronize", [](Call&) { return kSuccess; });
}
W4HIP_API Status hipGetDeviceProperties(PropertiesR0000* p, int device) {
  return properties("hipGetDeviceProperties", p, device);
}
W4HIP_API Status hipGetDevicePropertiesR0000(PropertiesR0000* p, int device) {
  return properties("hipGetDevicePropertiesR0000", p, device);
}
W4HIP_API Status hipGetDevicePropertiesR0600(PropertiesR0600* p, int device) {
  return properties("hipGetDevicePropertiesR0600", p, device);
}
W4HIP_API Status hipDeviceGetAttribute(int* value, int which, int device) {
  return call("hipDeviceGetAttribute", [&](Call& c) -> Status {
    if (!value) return c.bad(kInvalidValue, "pi is null");
    if (device != 0) return bad_device(c, device);
    const auto v = attribute(figures(c), which);
    if (!v) return c.bad(kInvalidValue, "{}", v.error().text);
    *value = *v;
    return kSuccess;
  });
}
W4HIP_API Status hipDeviceGetName(char* name, int bytes, int device) {
  return call("hipDeviceGetName", [&](Call& c) -> Status {
    if (!name || bytes <= 0) return c.bad(kInvalidValue, "{} bytes for the name", bytes);
    if (device != 0) return bad_device(c, device);
    const std::string text = "w4check emulated " + figures(c).arch;
    const size_t n = std::min(text.size(), static_cast<size_t>(bytes) - 1);
    std::memcpy(name, text.data(), n);
    name[n] = 0;
    return kSuccess;
  });
}
W4HIP_API Status hipDeviceTotalMem(size_t* bytes, int device) {
  return call("hipDeviceTotalMem", [&](Call& c) -> Status {
    if (device != 0) return bad_device(c, device);
    if (bytes) *bytes = Figures::kMemory;
    return kSuccess;
  });
}
W4HIP_API Status hipDeviceComputeCapability(int* major, int* minor, int device) {
  return call("hipDeviceComputeCapability", [&](Call& c) -> Status {
    if (device != 0) return bad_device(c, device);
    const Figures f = figures(c);
    if (major) *major = f.major;
    if (minor) *minor = f.minor;
    return kSuccess;
  });
}
W4HIP_API Status hipDeviceCanAccessPeer(int* can, int, int) {
  if (can) *can = 0;
  return kSuccess;
}
// A preference of caches or banks: there is nothing to prefer.
W4HIP_API Status hipDeviceSetCacheConfig(int) { return kSuccess; }
W4HIP_API Status hipDeviceSetSharedMemConfig(int) { return kSuccess; }
W4HIP_API Status hipFuncSetCacheConfig(const void*, int) { return kSuccess; }
W4HIP_API Status hipFuncSetSharedMemConfig(const void*, int) { return kSuccess; }

W4HIP_API Status hipRuntimeGetVersion(int* version) {
  if (version) *version = rocm_version() * 10000000;
  return version ? kSuccess : kInvalidValue;
}
W4HIP_API Status hipDriverGetVersion(int* version) { return hipRuntimeGetVersion(version); }

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
