// What the device is. Figures that w4check models come from the bound device or the environment;
// what nothing here models (clocks, caches, textures) is 0.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "core/gpu.h"
#include "core/result.h"
#include "intake/hip/figures.h"
#include "intake/hip/memory.h"

namespace w4::hip {

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

namespace {

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
