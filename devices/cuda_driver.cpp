#include "devices/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace w4 {
namespace {

constexpr const char* kName = "libcuda.so.1";

}  // namespace

bool CudaDriver::manages_memory() const {
#define W4_CUDA_THERE(name, symbol, parameters) name != nullptr&&
  return W4_CUDA_MEMORY_CALLS(W4_CUDA_THERE) true;
#undef W4_CUDA_THERE
}

std::string CudaDriver::text_of(CudaCode code) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (error_name(code, &name) != 0 || name == nullptr) name = "CUDA error";
  if (error_text(code, &text) != 0 || text == nullptr) text = "of no text";
  return fmt::format("{} ({}): {}", name, code, text);
}

Result<CudaDriver> open_cuda_driver(const std::string& library) {
  CudaDriver d;
  const char* named = std::getenv("W4_CUDA_LIBRARY");
  d.library = !library.empty() ? library : named != nullptr && *named != 0 ? named : kName;
  // Translated kernels are kept on disk; the whole table is more than the driver keeps by default.
  setenv("CUDA_CACHE_MAXSIZE", "4294967296", 0);
  void* const handle = dlopen(d.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return fail("no NVIDIA driver: {} cannot be loaded: {}", d.library, dlerror());
  }
  const char* missing = nullptr;
#define W4_CUDA_GET(name, symbol, parameters) \
  d.name = reinterpret_cast<decltype(d.name)>(dlsym(handle, symbol));
#define W4_CUDA_NEED(name, symbol, parameters) \
  W4_CUDA_GET(name, symbol, parameters)        \
  if (d.name == nullptr && missing == nullptr) missing = symbol;
  W4_CUDA_CALLS(W4_CUDA_NEED)
  W4_CUDA_MEMORY_CALLS(W4_CUDA_GET)
#undef W4_CUDA_NEED
#undef W4_CUDA_GET
  if (missing != nullptr) {
    return fail("{} has no {}; legal: a driver for CUDA 11 or later", d.library, missing);
  }
  return d;
}

bool is_fault(CudaCode code) {
  constexpr std::array kFaults{
      214,  // memory that cannot be corrected
      220,  // NVLink's
      226,  // a hardware error that was contained
      700,  // illegal address
      702,  // launch timeout
      709,  // the context is destroyed
      710,  // assert
      714,  // stack
      715,  // illegal instruction
      716,  // misaligned address
      717,  // invalid address space
      718,  // invalid program counter
      719,  // launch failed
      999,  // unknown
  };
  return std::ranges::find(kFaults, code) != kFaults.end();
}

}  // namespace w4
