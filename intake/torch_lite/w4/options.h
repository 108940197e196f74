// Where a tensor is and what its elements are: Device, ArrayRef of sizes, TensorOptions.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

#include "w4/scalar_type.h"

namespace c10 {

template <class T>
using optional = std::optional<T>;
using string_view = std::string_view;
using std::nullopt;
using std::nullopt_t;

template <class T>
class ArrayRef {
 public:
  ArrayRef() = default;
  ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  ArrayRef(const T& one) : data_(&one), size_(1) {}
  ArrayRef(const std::vector<T>& v) : data_(v.data()), size_(v.size()) {}
  template <size_t N>
  ArrayRef(const std::array<T, N>& v) : data_(v.data()), size_(N) {}
  // As in torch: valid while the list is, which is until the call returns.
  ArrayRef(const std::initializer_list<T>& v)
      : data_(v.begin() == v.end() ? nullptr : v.begin()), size_(v.size()) {}
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t i) const { return data_[i]; }
  const T& at(size_t i) const {
    TORCH_CHECK(i < size_, "ArrayRef: invalid index Index = ", i, "; Length = ", size_);
    return data_[i];
  }
  const T& front() const { return at(0); }
  const T& back() const { return at(size_ - 1); }
  std::vector<T> vec() const { return {begin(), end()}; }
  bool equals(ArrayRef o) const { return *this == o; }
  friend bool operator==(ArrayRef a, ArrayRef b) {
    if (a.size_ != b.size_) return false;
    for (size_t i = 0; i < a.size_; ++i) {
      if (!(a.data_[i] == b.data_[i])) return false;
    }
    return true;
  }
  friend bool operator!=(ArrayRef a, ArrayRef b) { return !(a == b); }
  friend std::ostream& operator<<(std::ostream& out, ArrayRef a) {
    out << '[';
    for (size_t i = 0; i < a.size_; ++i) out << (i == 0 ? "" : ", ") << a.data_[i];
    return out << ']';
  }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};
using IntArrayRef = ArrayRef<int64_t>;

using DeviceIndex = int8_t;
enum class DeviceType : int8_t { CPU = 0, CUDA = 1, HIP = 6, Meta = 14 };
inline constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA,
                            kHIP = DeviceType::HIP, kMeta = DeviceType::Meta;

// The emulated device is cuda:0, as torch for ROCm has it.
class Device {
 public:
  Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}  // NOLINT
  DeviceType type() const { return type_; }
  DeviceIndex index() const { return index_; }
  bool has_index() const { return index_ >= 0; }
  bool is_cuda() const { return type_ == DeviceType::CUDA; }
  bool is_hip() const { return type_ == DeviceType::HIP; }
  bool is_cpu() const { return type_ == DeviceType::CPU; }
  bool is_meta() const { return type_ == DeviceType::Meta; }
  friend bool operator==(Device a, Device b) { return a.type_ == b.type_ && a.index_ == b.index_; }
  friend bool operator!=(Device a, Device b) { return !(a == b); }
  std::string str() const {
    const char* name = is_cuda() ? "cuda" : is_hip() ? "hip" : is_cpu() ? "cpu" : "meta";
    return has_index() ? c10::str(name, ':', int{index_}) : name;
  }
  friend std::ostream& operator<<(std::ostream& out, Device d) { return out << d.str(); }

 private:
  DeviceType type_;
  DeviceIndex index_;
};

enum class Layout : int8_t { Strided };
inline constexpr Layout kStrided = Layout::Strided;
enum class MemoryFormat : int8_t { Contiguous, Preserve };

class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType t) : type_(t) {}               // NOLINT: as in torch
  TensorOptions(TypeMeta t) : type_(t.toScalarType()) {}  // NOLINT
  TensorOptions(Device d) : device_(d) {}                 // NOLINT
  TensorOptions(DeviceType d) : device_(Device(d)) {}     // NOLINT
  TensorOptions dtype(ScalarType t) const {
    TensorOptions o = *this;
    o.type_ = t;
    return o;
  }
  TensorOptions dtype(TypeMeta t) const { return dtype(t.toScalarType()); }
  TensorOptions device(Device d) const {
    TensorOptions o = *this;
    o.device_ = d;
    return o;
  }
  TensorOptions device(DeviceType t, DeviceIndex i = -1) const { return device(Device(t, i)); }
  TensorOptions layout(Layout) const { return *this; }
  TensorOptions requires_grad(bool) const { return *this; }
  TensorOptions memory_format(MemoryFormat) const { return *this; }
  TypeMeta dtype() const { return type_; }
  Device device() const { return device_; }

 private:
  ScalarType type_ = ScalarType::Float;
  Device device_ = Device(DeviceType::CPU);
};
inline TensorOptions dtype(ScalarType t) { return TensorOptions().dtype(t); }
inline TensorOptions device(Device d) { return TensorOptions().device(d); }

}  // namespace c10
