// HIP's functions as far as the hip device uses them, from a library that is opened at run time:
// those that ROCm 5, 6 and 7 have alike.
#pragma once

#include <cstddef>
#include <string>

#include "core/result.h"
#include "devices/hip_abi.h"

namespace w4 {

// X(member, symbol, parameters).
#define W4_HIP_CALLS(X)                                                                   \
  X(init, "hipInit", (unsigned flags))                                                    \
  X(device_count, "hipGetDeviceCount", (int* count))                                      \
  X(set_device, "hipSetDevice", (int device))                                             \
  X(runtime_version, "hipRuntimeGetVersion", (int* version))                              \
  X(driver_version, "hipDriverGetVersion", (int* version))                                \
  X(allocate, "hipMalloc", (void** at, size_t bytes))                                     \
  X(free, "hipFree", (void* at))                                                          \
  X(copy, "hipMemcpy", (void* to, const void* from, size_t bytes, hip::CopyKind kind))    \
  X(copy_async, "hipMemcpyAsync",                                                         \
    (void* to, const void* from, size_t bytes, hip::CopyKind kind, void* stream))         \
  X(fill8, "hipMemsetD8", (void* to, unsigned char value, size_t count))                  \
  X(fill16, "hipMemsetD16", (void* to, unsigned short value, size_t count))               \
  X(fill32, "hipMemsetD32", (void* to, int value, size_t count))                          \
  X(synchronize, "hipDeviceSynchronize", ())                                              \
  X(load, "hipModuleLoadData", (void** module, const void* image))                        \
  X(unload, "hipModuleUnload", (void* module))                                            \
  X(function, "hipModuleGetFunction", (void** function, void* module, const char* name))  \
  X(launch, "hipModuleLaunchKernel",                                                      \
    (void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
     unsigned block_y, unsigned block_z, unsigned lds, void* stream, void** arguments,    \
     void** extra))                                                                       \
  X(make_event, "hipEventCreate", (void** event))                                         \
  X(record, "hipEventRecord", (void* event, void* stream))                                \
  X(wait, "hipEventSynchronize", (void* event))                                           \
  X(elapsed, "hipEventElapsedTime", (float* milliseconds, void* from, void* to))

struct HipDriver {
#define W4_HIP_MEMBER(name, symbol, parameters) hip::Status(*name) parameters = nullptr;
  W4_HIP_CALLS(W4_HIP_MEMBER)
#undef W4_HIP_MEMBER
  const char* (*error_name)(hip::Status) = nullptr;
  const char* (*error_text)(hip::Status) = nullptr;
  // The layout changed with ROCm 6, which has the new one under a name of its own and the old one
  // still under the old.
  hip::Status (*properties_old)(hip::PropertiesR0000*, int device) = nullptr;
  hip::Status (*properties_new)(hip::PropertiesR0600*, int device) = nullptr;
  std::string library;  // its name

  // "hipErrorLaunchFailure (719): unspecified launch failure".
  std::string text_of(hip::Status code) const;
};

// `library`: as open_hip() has it. Stays loaded. Errors: it is not there, or lacks a function.
Result<HipDriver> open_hip_driver(const std::string& library);

}  // namespace w4
