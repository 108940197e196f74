#include "devices/cuda_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "devices/dynamic_library.h"

namespace w4 {
namespace {

constexpr const char* kName = "libcuda.so.1";

}  // namespace

#define W4_CUDA_THERE(name, symbol, parameters) name != nullptr&&
bool CudaDriver::stages() const { return W4_CUDA_STAGE_CALLS(W4_CUDA_THERE) true; }
bool CudaDriver::manages_memory() const { return W4_CUDA_MEMORY_CALLS(W4_CUDA_THERE) true; }
#undef W4_CUDA_THERE

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
  const auto opened = DynamicLibrary::open({&d.library, 1});
  if (!opened) return fail("no NVIDIA driver: {}", opened.error().text);
  const char* missing = nullptr;
#define W4_CUDA_GET(name, symbol, parameters) opened->find(symbol, d.name);
#define W4_CUDA_NEED(name, symbol, parameters) \
  W4_CUDA_GET(name, symbol, parameters)        \
  if (d.name == nullptr && missing == nullptr) missing = symbol;
  W4_CUDA_CALLS(W4_CUDA_NEED)
  W4_CUDA_STAGE_CALLS(W4_CUDA_GET)
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
