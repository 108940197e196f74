// A library with the functions of NVIDIA's driver that w4check uses (devices/cuda_driver.h): what
// it refuses, when faults show and what is left after one are the driver's.
#include "tests/devices/cuda/fake_cuda.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/devices/cuda/fake_launch.h"
#include "tests/devices/cuda/fake_memory.h"

namespace w4 {

struct CudaContext {};
struct CudaModule {
  std::set<std::string> kernels;
  std::list<CudaFunction> functions;
};
struct CudaFunction {
  std::string name;
  uint64_t allowed = 48 * 1024;
};
struct CudaEvent {
  std::chrono::steady_clock::time_point at;
  bool recorded = false;
};

namespace {

constexpr CudaCode kInvalidValue = 1, kNotInitialised = 3, kNoDevice = 100, kInvalidContext = 201,
                   kInvalidPtx = 218, kNotFound = 500, kNotSupported = 801;

FakeMemory memory;
FakeCudaCounts counts;
CudaContext the_context;
bool initialised = false, current = false;
CudaCode sticky = 0;  // a fault: what every call says from then on

struct Queued {
  void* to;
  CudaAddress from;
  size_t bytes;
};
std::vector<Queued> queued;

bool told(std::string_view word) {
  const char* const words = std::getenv("W4_FAKE_CUDA");
  return words != nullptr && std::string_view(words).contains(word);
}

CudaCode ready() {
  if (!initialised) return kNotInitialised;
  if (!current) return kInvalidContext;
  return sticky;
}

CudaCode copied(void* to, const void* from, CudaAddress device, uint64_t bytes) {
  if (const CudaCode c = ready(); c != 0) return c;
  if (!memory.holds(device, bytes)) return kInvalidValue;
  std::memmove(to, from, bytes);
  return 0;
}

template <class T>
CudaCode filled(CudaAddress to, T value, size_t count) {
  if (const CudaCode c = ready(); c != 0) return c;
  if (to % sizeof(T) != 0 || !memory.holds(to, count * sizeof(T))) return kInvalidValue;
  std::fill_n(reinterpret_cast<T*>(to), count, value);
  return 0;
}

void say(void* log, uint64_t bytes, std::string_view text) {
  if (log == nullptr || bytes == 0) return;
  const size_t n = std::min<size_t>(text.size(), bytes - 1);
  std::memcpy(log, text.data(), n);
  static_cast<char*>(log)[n] = 0;
}

void* pointer(CudaAddress at) { return reinterpret_cast<void*>(at); }

}  // namespace

extern "C" {

void fake_cuda_counts(FakeCudaCounts* to) {
  counts.allocations = memory.allocations();
  counts.reservations = memory.reservations();
  counts.handles = memory.handles();
  counts.mappings = memory.mappings();
  *to = counts;
}

CudaCode cuInit(unsigned) {
  if (told("no_gpu")) return kNoDevice;
  initialised = true;
  return 0;
}
CudaCode cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
CudaCode cuGetErrorName(CudaCode code, const char** text) {
  switch (code) {
    case kInvalidValue:
      *text = "CUDA_ERROR_INVALID_VALUE";
      return 0;
    case kNoDevice:
      *text = "CUDA_ERROR_NO_DEVICE";
      return 0;
    case kInvalidPtx:
      *text = "CUDA_ERROR_INVALID_PTX";
      return 0;
    case kNotFound:
      *text = "CUDA_ERROR_NOT_FOUND";
      return 0;
    case 700:
      *text = "CUDA_ERROR_ILLEGAL_ADDRESS";
      return 0;
    case 719:
      *text = "CUDA_ERROR_LAUNCH_FAILED";
      return 0;
    default:
      *text = nullptr;
      return kInvalidValue;
  }
}
CudaCode cuGetErrorString(CudaCode code, const char** text) {
  *text = code == 700 ? "an illegal memory access was encountered" : "what the name says";
  return 0;
}
CudaCode cuDeviceGetCount(int* count) {
  *count = 1;
  return initialised ? 0 : kNotInitialised;
}
CudaCode cuDeviceGet(int* device, int ordinal) {
  *device = 0;
  return ordinal == 0 ? 0 : 101;
}
CudaCode cuDeviceGetName(char* name, int bytes, int) {
  say(name, static_cast<uint64_t>(bytes), "Fake GPU");
  return 0;
}
CudaCode cuDeviceTotalMem_v2(size_t* bytes, int) {
  *bytes = size_t{1} << 34;
  return 0;
}
CudaCode cuDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    case kCudaMaxThreadsPerBlock:
      *value = 1024;
      return 0;
    case kCudaWarpSize:
      *value = 32;
      return 0;
    case kCudaMultiprocessors:
      *value = 8;
      return 0;
    case kCudaL2Bytes:
      *value = 1 << 20;
      return 0;
    case kCudaCapabilityMajor:
      *value = told("old") ? 7 : 9;
      return 0;
    case kCudaCapabilityMinor:
      *value = told("old") ? 5 : 0;
      return 0;
    case kCudaMaxSharedPerBlockOptin:
      *value = 227 * 1024;
      return 0;
    case kCudaVirtualMemoryManagement:
      *value = told("no_vmm") ? 0 : 1;
      return 0;
    default:
      return kInvalidValue;
  }
}
CudaCode cuDevicePrimaryCtxRetain(CudaContext** context, int) {
  *context = &the_context;
  return initialised ? 0 : kNotInitialised;
}
CudaCode cuCtxSetCurrent(CudaContext* context) {
  current = context == &the_context;
  return 0;
}

CudaCode cuMemAlloc_v2(CudaAddress* at, size_t bytes) {
  const CudaCode c = ready();
  return c != 0 ? c : memory.allocate(at, bytes);
}
CudaCode cuMemFree_v2(CudaAddress at) {
  const CudaCode c = ready();
  return c != 0 ? c : memory.free(at);
}
CudaCode cuMemGetAllocationGranularity(size_t* bytes, const CudaAllocation* what, int) {
  if (what->type != 1 || what->location.type != 1 || what->location.id != 0) return kInvalidValue;
  *bytes = FakeMemory::kGranularity;
  return told("no_vmm") ? kNotSupported : 0;
}
CudaCode cuMemAddressReserve(CudaAddress* at, size_t bytes, size_t, CudaAddress,
                             unsigned long long) {
  const CudaCode c = ready();
  return c != 0 ? c : memory.reserve(at, bytes);
}
CudaCode cuMemAddressFree(CudaAddress at, size_t bytes) { return memory.unreserve(at, bytes); }
CudaCode cuMemCreate(unsigned long long* handle, size_t bytes, const CudaAllocation* what,
                     unsigned long long) {
  if (what->type != 1 || what->location.type != 1) return kInvalidValue;
  const CudaCode c = ready();
  return c != 0 ? c : memory.create(handle, bytes);
}
CudaCode cuMemRelease(unsigned long long handle) { return memory.release(handle); }
CudaCode cuMemMap(CudaAddress at, size_t bytes, size_t, unsigned long long handle,
                  unsigned long long) {
  const CudaCode c = ready();
  return c != 0 ? c : memory.map(at, bytes, handle);
}
CudaCode cuMemUnmap(CudaAddress at, size_t bytes) { return memory.unmap(at, bytes); }
CudaCode cuMemSetAccess(CudaAddress at, size_t bytes, const CudaAccess* access, size_t count) {
  if (count != 1 || access->location.type != 1 || access->flags != 3) return kInvalidValue;
  const CudaCode c = ready();
  return c != 0 ? c : memory.set_access(at, bytes);
}

CudaCode cuMemcpyHtoD_v2(CudaAddress to, const void* from, size_t bytes) {
  return copied(pointer(to), from, to, bytes);
}
CudaCode cuMemcpyDtoH_v2(void* to, CudaAddress from, size_t bytes) {
  return copied(to, pointer(from), from, bytes);
}
CudaCode cuMemcpyDtoD_v2(CudaAddress to, CudaAddress from, size_t bytes) {
  if (!memory.holds(from, bytes)) return kInvalidValue;
  return copied(pointer(to), pointer(from), to, bytes);
}
CudaCode cuMemHostAlloc(void** to, size_t bytes, unsigned) {
  *to = std::malloc(bytes);
  return told("no_stage") ? 2 : ready();
}
CudaCode cuMemcpyHtoDAsync_v2(CudaAddress to, const void* from, size_t bytes, CudaStream*) {
  return copied(pointer(to), from, to, bytes);
}
// Done when somebody waits, as late as can be.
CudaCode cuMemcpyDtoHAsync_v2(void* to, CudaAddress from, size_t bytes, CudaStream*) {
  if (const CudaCode c = ready(); c != 0) return c;
  if (!memory.holds(from, bytes)) return kInvalidValue;
  queued.push_back({to, from, bytes});
  return 0;
}
CudaCode cuStreamSynchronize(CudaStream*) {
  if (const CudaCode c = ready(); c != 0) return c;
  for (const Queued& q : queued) std::memcpy(q.to, pointer(q.from), q.bytes);
  queued.clear();
  ++counts.waits;
  return 0;
}
CudaCode cuMemsetD8_v2(CudaAddress to, unsigned char value, size_t count) {
  return filled(to, value, count);
}
CudaCode cuMemsetD16_v2(CudaAddress to, unsigned short value, size_t count) {
  return filled(to, value, count);
}
CudaCode cuMemsetD32_v2(CudaAddress to, unsigned value, size_t count) {
  return filled(to, value, count);
}

// PTX, of which it reads the names of kernels, or the same behind the first bytes of an ELF file.
CudaCode cuModuleLoadDataEx(CudaModule** module, const void* image, unsigned count, int* options,
                            void** values) {
  if (const CudaCode c = ready(); c != 0) return c;
  void* log = nullptr;
  uint64_t log_bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == kCudaJitErrorLog) log = values[i];
    if (options[i] == kCudaJitErrorLogBytes) log_bytes = reinterpret_cast<uint64_t>(values[i]);
  }
  const std::string_view text(static_cast<const char*>(image));
  ++counts.images;
  counts.kernels_in_last = 0;
  if (text.contains("not_an_instruction")) {
    say(log, log_bytes, "ptxas fatal   : Parsing error near 'not_an_instruction'");
    return kInvalidPtx;
  }
  auto* const made = new CudaModule;
  constexpr std::string_view kEntry = ".entry ";
  for (size_t at = text.find(kEntry); at != text.npos; at = text.find(kEntry, at + 1)) {
    const std::string_view rest = text.substr(at + kEntry.size());
    made->kernels.insert(std::string(rest.substr(0, rest.find_first_of("( \n"))));
    ++counts.kernels_in_last;
  }
  *module = made;
  return 0;
}
CudaCode cuModuleUnload(CudaModule* module) {
  delete module;
  return 0;
}
CudaCode cuModuleGetFunction(CudaFunction** function, CudaModule* module, const char* name) {
  if (!module->kernels.contains(name)) return kNotFound;
  *function = &module->functions.emplace_back(CudaFunction{name});
  return 0;
}
CudaCode cuFuncSetAttribute(CudaFunction* function, int attribute, int value) {
  if (attribute != kCudaMaxDynamicSharedBytes || value > 227 * 1024) return kInvalidValue;
  function->allowed = static_cast<uint64_t>(value);
  return 0;
}

CudaCode cuLaunchKernel(CudaFunction* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, CudaStream*, void** arguments,
                        void** extra) {
  if (const CudaCode c = ready(); c != 0) return c;
  if (arguments != nullptr || extra == nullptr || shared > function->allowed) return kInvalidValue;
  if (uint64_t{bx} * by * bz > 1024 || uint64_t{gx} * gy * gz == 0) return kInvalidValue;
  w4_launch what{};
  for (; extra[0] != nullptr; extra += 2) {
    if (extra[0] == pointer(1)) what.args = extra[1];
    if (extra[0] == pointer(2)) what.arg_bytes = *static_cast<size_t*>(extra[1]);
  }
  what.grid[0] = gx, what.grid[1] = gy, what.grid[2] = gz;
  what.block[0] = bx, what.block[1] = by, what.block[2] = bz;
  what.dynamic_lds = shared;
  ++counts.launches;
  const CudaCode code = fake_launch(function->name, what);
  if (code == kInvalidValue) return code;
  sticky = code;  // found out by whoever waits
  return 0;
}
CudaCode cuEventCreate(CudaEvent** event, unsigned) {
  *event = new CudaEvent;
  return ready();
}
CudaCode cuEventRecord(CudaEvent* event, CudaStream*) {
  event->at = std::chrono::steady_clock::now();
  event->recorded = true;
  return ready();
}
CudaCode cuEventSynchronize(CudaEvent*) { return ready(); }
CudaCode cuEventElapsedTime(float* milliseconds, CudaEvent* from, CudaEvent* to) {
  if (!from->recorded || !to->recorded) return kInvalidValue;
  *milliseconds = std::chrono::duration<float, std::milli>(to->at - from->at).count();
  return ready();
}

}  // extern "C"

}  // namespace w4
