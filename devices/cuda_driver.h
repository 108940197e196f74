// NVIDIA's driver API as far as the cuda device uses it, opened at run time: no header and no
// library of CUDA's is needed to build. Types, numbers and layouts are those of its cuda.h, which
// keeps them from version 11 on; symbols are named with the version that they have there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/result.h"

namespace w4 {

using CudaCode = int;  // CUresult; 0: done
using CudaAddress = unsigned long long;

struct CudaContext;
struct CudaModule;
struct CudaFunction;
struct CudaStream;
struct CudaEvent;

enum CudaAttribute : int {
  kCudaMaxThreadsPerBlock = 1,
  kCudaWarpSize = 10,
  kCudaMultiprocessors = 16,
  kCudaL2Bytes = 38,
  kCudaCapabilityMajor = 75,
  kCudaCapabilityMinor = 76,
  kCudaMaxSharedPerBlockOptin = 97,
  kCudaVirtualMemoryManagement = 102,
};

// Of a function: the most dynamic shared memory that launches may ask for.
inline constexpr int kCudaMaxDynamicSharedBytes = 8;
// Options of cuModuleLoadDataEx.
inline constexpr int kCudaJitErrorLog = 5, kCudaJitErrorLogBytes = 6;

struct CudaLocation {
  int type = 1;  // a device
  int id = 0;
};
struct CudaAllocation {
  int type = 1;  // pinned
  int handle_types = 0;
  CudaLocation location{};
  void* win32 = nullptr;
  unsigned char compression = 0, rdma = 0;
  unsigned short usage = 0;
  unsigned char reserved[4] = {};
};
static_assert(sizeof(CudaAllocation) == 32);
struct CudaAccess {
  CudaLocation location{};
  int flags = 3;  // read and write
};
static_assert(sizeof(CudaAccess) == 12);

// X(name, symbol, parameters): what every driver since CUDA 11 has.
#define W4_CUDA_CALLS(X)                                                                           \
  X(init, "cuInit", (unsigned flags))                                                              \
  X(version, "cuDriverGetVersion", (int* version))                                                 \
  X(error_name, "cuGetErrorName", (CudaCode code, const char** text))                              \
  X(error_text, "cuGetErrorString", (CudaCode code, const char** text))                            \
  X(device_count, "cuDeviceGetCount", (int* count))                                                \
  X(device, "cuDeviceGet", (int* device, int ordinal))                                             \
  X(device_name, "cuDeviceGetName", (char* name, int bytes, int device))                           \
  X(device_memory, "cuDeviceTotalMem_v2", (size_t* bytes, int device))                             \
  X(attribute, "cuDeviceGetAttribute", (int* value, int attribute, int device))                    \
  X(retain_context, "cuDevicePrimaryCtxRetain", (CudaContext * *context, int device))              \
  X(set_context, "cuCtxSetCurrent", (CudaContext * context))                                       \
  X(allocate, "cuMemAlloc_v2", (CudaAddress * address, size_t bytes))                              \
  X(free, "cuMemFree_v2", (CudaAddress address))                                                   \
  X(write, "cuMemcpyHtoD_v2", (CudaAddress to, const void* from, size_t bytes))                    \
  X(read, "cuMemcpyDtoH_v2", (void* to, CudaAddress from, size_t bytes))                           \
  X(copy, "cuMemcpyDtoD_v2", (CudaAddress to, CudaAddress from, size_t bytes))                     \
  X(fill8, "cuMemsetD8_v2", (CudaAddress to, unsigned char value, size_t count))                   \
  X(fill16, "cuMemsetD16_v2", (CudaAddress to, unsigned short value, size_t count))                \
  X(fill32, "cuMemsetD32_v2", (CudaAddress to, unsigned value, size_t count))                      \
  X(load, "cuModuleLoadDataEx",                                                                    \
    (CudaModule * *module, const void* image, unsigned count, int* options, void** values))        \
  X(unload, "cuModuleUnload", (CudaModule * module))                                               \
  X(function, "cuModuleGetFunction",                                                               \
    (CudaFunction * *function, CudaModule * module, const char* name))                             \
  X(set_function, "cuFuncSetAttribute", (CudaFunction * function, int attribute, int value))       \
  X(launch, "cuLaunchKernel",                                                                      \
    (CudaFunction * function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
     unsigned block_y, unsigned block_z, unsigned shared, CudaStream* stream, void** arguments,    \
     void** extra))                                                                                \
  X(make_event, "cuEventCreate", (CudaEvent * *event, unsigned flags))                             \
  X(record, "cuEventRecord", (CudaEvent * event, CudaStream * stream))                             \
  X(wait, "cuEventSynchronize", (CudaEvent * event))                                               \
  X(elapsed, "cuEventElapsedTime", (float* milliseconds, CudaEvent* from, CudaEvent* to))

// What makes copies that nobody waits for one by one: memory of the host that the GPU reads itself.
#define W4_CUDA_STAGE_CALLS(X)                                                      \
  X(allocate_host, "cuMemHostAlloc", (void** memory, size_t bytes, unsigned flags)) \
  X(queue_write, "cuMemcpyHtoDAsync_v2",                                            \
    (CudaAddress to, const void* from, size_t bytes, CudaStream* stream))           \
  X(queue_read, "cuMemcpyDtoHAsync_v2",                                             \
    (void* to, CudaAddress from, size_t bytes, CudaStream* stream))                 \
  X(wait_for_stream, "cuStreamSynchronize", (CudaStream * stream))

// Virtual memory management: from CUDA 10.2, and not on every machine.
#define W4_CUDA_MEMORY_CALLS(X)                                                   \
  X(granularity, "cuMemGetAllocationGranularity",                                 \
    (size_t* bytes, const CudaAllocation* what, int option))                      \
  X(reserve, "cuMemAddressReserve",                                               \
    (CudaAddress * address, size_t bytes, size_t alignment, CudaAddress near,     \
     unsigned long long flags))                                                   \
  X(unreserve, "cuMemAddressFree", (CudaAddress address, size_t bytes))           \
  X(create, "cuMemCreate",                                                        \
    (unsigned long long* handle, size_t bytes, const CudaAllocation* what,        \
     unsigned long long flags))                                                   \
  X(release, "cuMemRelease", (unsigned long long handle))                         \
  X(map, "cuMemMap",                                                              \
    (CudaAddress address, size_t bytes, size_t offset, unsigned long long handle, \
     unsigned long long flags))                                                   \
  X(unmap, "cuMemUnmap", (CudaAddress address, size_t bytes))                     \
  X(set_access, "cuMemSetAccess",                                                 \
    (CudaAddress address, size_t bytes, const CudaAccess* access, size_t count))

// The driver's functions; those of the other lists are null where it lacks one.
struct CudaDriver {
#define W4_CUDA_MEMBER(name, symbol, parameters) CudaCode(*name) parameters = nullptr;
  W4_CUDA_CALLS(W4_CUDA_MEMBER)
  W4_CUDA_STAGE_CALLS(W4_CUDA_MEMBER)
  W4_CUDA_MEMORY_CALLS(W4_CUDA_MEMBER)
#undef W4_CUDA_MEMBER
  std::string library;  // its name

  bool stages() const;          // has all of W4_CUDA_STAGE_CALLS
  bool manages_memory() const;  // has all of W4_CUDA_MEMORY_CALLS
  // "CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered".
  std::string text_of(CudaCode code) const;
};

// `library`: as open_cuda() has it. Stays loaded. Errors: it is not there, or lacks a function.
Result<CudaDriver> open_cuda_driver(const std::string& library);

// After this code the driver serves the process no more.
bool is_fault(CudaCode code);

}  // namespace w4
