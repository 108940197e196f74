// A HIP runtime in host memory, to test who calls one: as ROCm 5 (FAKE_ROCM=5: the old properties
// under the old name) or as 6 and later. The environment says what it answers: FAKE_HIP_GPUS,
// FAKE_HIP_ARCH, FAKE_HIP_LAUNCH and FAKE_HIP_WAIT (error numbers).
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "devices/hip_abi.h"

namespace {

using w4::hip::CopyKind;
using w4::hip::Status;

Status number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return static_cast<Status>(text ? std::atoi(text) : otherwise);
}

template <class P>
Status fill(P* p) {
  std::memset(p, 0, sizeof *p);
  const char* arch = std::getenv("FAKE_HIP_ARCH");
  std::strcpy(p->name, "Fake Radeon");
  std::strcpy(p->gcnArchName, arch ? arch : "gfx1201:sramecc-:xnack-");
  p->totalGlobalMem = size_t{16} << 30;
  p->sharedMemPerBlock = 65536;
  p->warpSize = 32;
  p->maxThreadsPerBlock = 1024;
  p->multiProcessorCount = 28;
  p->l2CacheSize = 4 << 20;
  return w4::hip::kSuccess;
}

template <class T>
Status repeat(void* to, T value, size_t count) {
  std::fill_n(static_cast<T*>(to), count, value);
  return w4::hip::kSuccess;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): HIP's names.
#define FAKE extern "C" __attribute__((visibility("default")))
FAKE Status hipInit(unsigned) { return w4::hip::kSuccess; }
FAKE Status hipGetDeviceCount(int* count) {
  *count = number("FAKE_HIP_GPUS", 1);
  return *count == 0 ? static_cast<Status>(100) : w4::hip::kSuccess;
}
FAKE Status hipSetDevice(int) { return w4::hip::kSuccess; }
FAKE Status hipRuntimeGetVersion(int* version) {
  *version = FAKE_ROCM == 5 ? 50422803 : 60241133;
  return w4::hip::kSuccess;
}
FAKE Status hipDriverGetVersion(int* version) { return hipRuntimeGetVersion(version); }
FAKE Status hipMalloc(void** at, size_t bytes) {
  *at = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  return *at ? w4::hip::kSuccess : w4::hip::kOutOfMemory;
}
FAKE Status hipFree(void* at) {
  std::free(at);
  return w4::hip::kSuccess;
}
FAKE Status hipMemcpy(void* to, const void* from, size_t bytes, CopyKind) {
  std::memmove(to, from, bytes);
  return w4::hip::kSuccess;
}
FAKE Status hipMemcpyAsync(void* to, const void* from, size_t bytes, CopyKind kind, void*) {
  return hipMemcpy(to, from, bytes, kind);
}
FAKE Status hipMemsetD8(void* to, unsigned char v, size_t n) { return repeat(to, v, n); }
FAKE Status hipMemsetD16(void* to, unsigned short v, size_t n) { return repeat(to, v, n); }
FAKE Status hipMemsetD32(void* to, int v, size_t n) { return repeat(to, v, n); }
FAKE Status hipDeviceSynchronize() { return number("FAKE_HIP_WAIT", 0); }
FAKE Status hipModuleLoadData(void** module, const void* image) {
  if (std::memcmp(image, "bad", 3) == 0) return w4::hip::kInvalidImage;
  *module = const_cast<void*>(image);
  return w4::hip::kSuccess;
}
FAKE Status hipModuleUnload(void*) { return w4::hip::kSuccess; }
FAKE Status hipModuleGetFunction(void** function, void* module, const char* name) {
  if (std::string(name) != "store_42") return w4::hip::kNotFound;
  *function = module;
  return w4::hip::kSuccess;
}
// The one kernel: its argument is where to store 42, in each block and thread one after the other.
FAKE Status hipModuleLaunchKernel(void*, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                  unsigned by, unsigned bz, unsigned lds, void*, void** arguments,
                                  void** extra) {
  if (const Status s = number("FAKE_HIP_LAUNCH", 0); s != w4::hip::kSuccess) return s;
  if (arguments != nullptr || reinterpret_cast<uintptr_t>(extra[0]) != 1 ||
      reinterpret_cast<uintptr_t>(extra[2]) != 2 || reinterpret_cast<uintptr_t>(extra[4]) != 3 ||
      *static_cast<size_t*>(extra[3]) != 8 || lds != 99) {
    return w4::hip::kInvalidValue;
  }
  uint32_t* to = nullptr;
  std::memcpy(&to, extra[1], 8);
  for (unsigned i = 0; i < gx * gy * gz * bx * by * bz; ++i) to[i] += 42;
  return w4::hip::kSuccess;
}
FAKE Status hipEventCreate(void** event) {
  *event = event;
  return w4::hip::kSuccess;
}
FAKE Status hipEventRecord(void*, void*) { return w4::hip::kSuccess; }
FAKE Status hipEventSynchronize(void*) { return number("FAKE_HIP_WAIT", 0); }
FAKE Status hipEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 6;
  return w4::hip::kSuccess;
}
FAKE const char* hipGetErrorName(Status s) {
  return s == w4::hip::kLaunchFailure ? "hipErrorLaunchFailure" : "hipErrorOther";
}
FAKE const char* hipGetErrorString(Status s) {
  return s == w4::hip::kLaunchFailure ? "unspecified launch failure" : "something else";
}
FAKE Status hipGetDeviceProperties(w4::hip::PropertiesR0000* p, int) { return fill(p); }
#if FAKE_ROCM != 5
FAKE Status hipGetDevicePropertiesR0600(w4::hip::PropertiesR0600* p, int) { return fill(p); }
#endif
// NOLINTEND
