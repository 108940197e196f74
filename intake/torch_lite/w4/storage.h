// The memory behind tensors, exact to the byte: on the device through hipMalloc, which for a case
// is a buffer of its own with nothing mapped around it, or on the host.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <vector>

#include "kernels/module.h"
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
      on_device().insert(this);
    }
  }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    on_device().erase(this);
    if (!owned_ || data_ == nullptr) return;
    if (device_.is_cpu()) {
      std::free(data_);
    } else if (call_ == call_number() && !kept_) {
      static_cast<void>(hipFree(data_));
    }
  }
  // It lives as long as the case from now on.
  void keep() { kept_ = true; }
  void* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }
  c10::Device device() const { return device_; }

  // What static variables hold between two cases, whose devices have other memory: the bytes are
  // kept after each run, and get memory again before what comes first of a case, the dry call.
  static void save(const w4_device& device) {
    for (Storage* s : on_device()) {
      s->between_cases_.resize(s->bytes_);
      device.read(device.self, reinterpret_cast<uint64_t>(s->data_), s->between_cases_.data(),
                  s->bytes_);
    }
  }
  static void restore(const w4_device& device) {
    for (Storage* s : on_device()) {
      const uint64_t at = device.device_alloc(device.self, s->bytes_);
      s->data_ = reinterpret_cast<void*>(at);
      if (at == 0 || s->between_cases_.empty()) continue;
      device.write(device.self, at, s->between_cases_.data(), s->bytes_);
    }
  }

 private:
  static std::set<Storage*>& on_device() {
    static auto* all = new std::set<Storage*>;  // outlives static tensors
    return *all;
  }

  void* data_ = nullptr;
  uint64_t bytes_ = 0;
  c10::Device device_;
  bool owned_ = false, kept_ = false;
  std::vector<char> between_cases_;
  uint64_t call_ = 0;
};

}  // namespace w4::torch_lite
