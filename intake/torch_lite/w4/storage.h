// The memory behind tensors, exact to the byte: on the device through hipMalloc, which for a case
// is a buffer of its own with nothing mapped around it, or on the host.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdlib>
#include <memory>

#include "w4/options.h"

#define C10_HIP_CHECK(E)                                                                       \
  do {                                                                                         \
    const hipError_t w4_torch_error = (E);                                                     \
    if (w4_torch_error != hipSuccess) {                                                        \
      ::w4::torch_lite::raise<::c10::Error>("HIP error: ", hipGetErrorString(w4_torch_error)); \
    }                                                                                          \
  } while (false)
#define C10_HIP_KERNEL_LAUNCH_CHECK() C10_HIP_CHECK(hipGetLastError())
#define C10_CUDA_CHECK(E) C10_HIP_CHECK(E)
#define C10_CUDA_CHECK_WARN(E) C10_HIP_CHECK(E)
#define C10_CUDA_ERROR_HANDLED(E) (E)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_HIP_KERNEL_LAUNCH_CHECK()
#define AT_CUDA_CHECK(E) C10_HIP_CHECK(E)
#define CUDA_CHECK(E) C10_HIP_CHECK(E)

namespace w4::torch_lite {

// Calls of operators so far. Device memory goes with the case: what a static variable still holds
// from an earlier call must not be freed.
inline uint64_t& call_number() {
  static thread_local uint64_t n = 0;
  return n;
}

class Storage {
 public:
  // Of somebody else.
  Storage(void* data, uint64_t bytes, c10::Device device)
      : data_(data), bytes_(bytes), device_(device) {}
  Storage(uint64_t bytes, c10::Device device)
      : bytes_(bytes), device_(device), owned_(true), call_(call_number()) {
    if (bytes == 0 || device.is_meta()) return;
    if (device.is_cpu()) {
      data_ = std::malloc(bytes);
      TORCH_CHECK(data_ != nullptr,
                  "DefaultCPUAllocator: can't allocate memory: you tried to allocate ", bytes,
                  " bytes.");
    } else {
      C10_HIP_CHECK(hipMalloc(&data_, bytes));
    }
  }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    if (!owned_ || data_ == nullptr) return;
    if (device_.is_cpu()) {
      std::free(data_);
    } else if (call_ == call_number()) {
      static_cast<void>(hipFree(data_));
    }
  }
  // It lives as long as the case from now on.
  void keep() { owned_ = owned_ && device_.is_cpu(); }
  void* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }
  c10::Device device() const { return device_; }

 private:
  void* data_ = nullptr;
  uint64_t bytes_ = 0;
  c10::Device device_;
  bool owned_ = false;
  uint64_t call_ = 0;
};

}  // namespace w4::torch_lite
