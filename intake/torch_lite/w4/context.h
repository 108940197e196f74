// Streams, guards and device properties: there is one device, cuda:0, and one stream.
#pragma once

#include "w4/cuda_names.h"
#include "w4/factories.h"

namespace c10 {

inline std::optional<Device> device_of(const at::Tensor& t) {
  if (!t.defined()) return std::nullopt;
  return t.device();
}

namespace hip {

class HIPStream {
 public:
  explicit HIPStream(hipStream_t s = nullptr) : stream_(s) {}
  operator hipStream_t() const { return stream_; }  // NOLINT: as in torch
  hipStream_t stream() const { return stream_; }
  Device device() const { return {kCUDA, 0}; }
  DeviceIndex device_index() const { return 0; }
  void synchronize() const { C10_HIP_CHECK(hipStreamSynchronize(stream_)); }
  friend bool operator==(HIPStream a, HIPStream b) { return a.stream_ == b.stream_; }
  friend bool operator!=(HIPStream a, HIPStream b) { return !(a == b); }

 private:
  hipStream_t stream_;
};

inline HIPStream getCurrentHIPStream(DeviceIndex = -1) { return HIPStream(); }
inline HIPStream getDefaultHIPStream(DeviceIndex = -1) { return HIPStream(); }
inline HIPStream getStreamFromPool(bool = false, DeviceIndex = -1) { return HIPStream(); }
inline HIPStream getStreamFromExternal(hipStream_t s, DeviceIndex) { return HIPStream(s); }
inline void setCurrentHIPStream(HIPStream) {}
inline DeviceIndex current_device() { return 0; }
inline DeviceIndex device_count() { return 1; }
inline void set_device(DeviceIndex) {}
inline void device_synchronize() { C10_HIP_CHECK(hipDeviceSynchronize()); }

class HIPGuard {
 public:
  explicit HIPGuard(DeviceIndex) {}
  explicit HIPGuard(Device) {}
  void set_device(Device) {}
  void set_index(DeviceIndex) {}
  Device current_device() const { return {kCUDA, 0}; }
  Device original_device() const { return {kCUDA, 0}; }
};
class OptionalHIPGuard {
 public:
  OptionalHIPGuard() = default;
  explicit OptionalHIPGuard(std::optional<Device>) {}
  explicit OptionalHIPGuard(std::optional<DeviceIndex>) {}
  explicit OptionalHIPGuard(Device) {}
  void set_device(Device) {}
  void reset() {}
};
class HIPStreamGuard {
 public:
  explicit HIPStreamGuard(HIPStream) {}
};

}  // namespace hip

namespace cuda {
using namespace hip;  // NOLINT: the same under another name
using CUDAStream = hip::HIPStream;
using CUDAGuard = hip::HIPGuard;
using OptionalCUDAGuard = hip::OptionalHIPGuard;
using CUDAStreamGuard = hip::HIPStreamGuard;
inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) { return CUDAStream(); }
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return CUDAStream(); }
inline void setCurrentCUDAStream(CUDAStream) {}
}  // namespace cuda

using DeviceGuard = hip::HIPGuard;
using OptionalDeviceGuard = hip::OptionalHIPGuard;

}  // namespace c10

namespace at {

using c10::device_of;
using c10::DeviceGuard;
using c10::OptionalDeviceGuard;

namespace hip {
using namespace c10::hip;  // NOLINT
using OptionalHIPGuardMasqueradingAsCUDA = c10::hip::OptionalHIPGuard;
using HIPGuardMasqueradingAsCUDA = c10::hip::HIPGuard;
using HIPStreamMasqueradingAsCUDA = c10::hip::HIPStream;
inline HIPStream getCurrentHIPStreamMasqueradingAsCUDA(c10::DeviceIndex = -1) {
  return HIPStream();
}

// What the device of the case says of itself, asked anew each time: `lds=` and `cus=` change it.
inline hipDeviceProp_t* getCurrentDeviceProperties() {
  static thread_local hipDeviceProp_t properties;
  C10_HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  return &properties;
}
inline hipDeviceProp_t* getDeviceProperties(c10::DeviceIndex) {
  return getCurrentDeviceProperties();
}
inline int warp_size() { return getCurrentDeviceProperties()->warpSize; }
}  // namespace hip

namespace cuda {
using namespace c10::cuda;  // NOLINT
using at::hip::getCurrentDeviceProperties;
using at::hip::getDeviceProperties;
using at::hip::warp_size;
inline bool is_available() { return true; }
}  // namespace cuda

inline bool globalContextDeterministic() { return false; }

}  // namespace at
