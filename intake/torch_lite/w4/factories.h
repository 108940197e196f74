// New tensors, and the few operations on whole tensors that launchers use around their kernels.
#pragma once

#include <cstring>

#include "w4/tensor.h"

namespace at {

inline Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, TensorOptions o = {}) {
  Tensor::Impl i;
  i.sizes = sizes.vec();
  i.strides = strides.vec();
  i.type = o.dtype().toScalarType();
  int64_t last = 1;
  for (size_t d = 0; d < i.sizes.size(); ++d) {
    TORCH_CHECK(i.sizes[d] >= 0, "Trying to create tensor with negative dimension ", i.sizes[d],
                ": ", sizes);
    last = i.sizes[d] == 0 || last == 0 ? 0 : last + (i.sizes[d] - 1) * i.strides[d];
  }
  Device d = o.device();
  if (d.is_cuda() && !d.has_index()) d = Device(c10::kCUDA, 0);
  TORCH_CHECK(!d.is_hip() && (!d.is_cuda() || d.index() == 0), "torch_lite has no device ", d,
              "; legal: cpu, cuda:0, meta");
  i.storage = std::make_shared<w4::torch_lite::Storage>(
      static_cast<uint64_t>(last * c10::elementSize(i.type)), d);
  return Tensor(std::move(i));
}

inline Tensor empty(IntArrayRef sizes, TensorOptions o = {}, c10::optional<MemoryFormat> = {}) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;)
    strides[d - 1] = strides[d] * (sizes[d] > 0 ? sizes[d] : 1);
  return empty_strided(sizes, strides, o);
}
inline Tensor zeros(IntArrayRef sizes, TensorOptions o = {}) {
  Tensor t = empty(sizes, o);
  t.zero_();
  return t;
}
inline Tensor full(IntArrayRef sizes, double value, TensorOptions o = {}) {
  Tensor t = empty(sizes, o);
  t.fill_(value);
  return t;
}
inline Tensor ones(IntArrayRef sizes, TensorOptions o = {}) { return full(sizes, 1.0, o); }
inline Tensor empty_like(const Tensor& t) { return empty(t.sizes(), t.options()); }
inline Tensor empty_like(const Tensor& t, TensorOptions o) { return empty(t.sizes(), o); }
inline Tensor zeros_like(const Tensor& t) { return zeros(t.sizes(), t.options()); }
inline Tensor zeros_like(const Tensor& t, TensorOptions o) { return zeros(t.sizes(), o); }

// Memory of somebody else; as many bytes as the sizes need.
inline Tensor from_blob(void* data, IntArrayRef sizes, TensorOptions o = {}) {
  Tensor::Impl i = empty(sizes, o.device(c10::kMeta)).impl();
  Device d = o.device();
  if (d.is_cuda() && !d.has_index()) d = Device(c10::kCUDA, 0);
  i.storage = std::make_shared<w4::torch_lite::Storage>(data, i.storage->bytes(), d);
  return Tensor(std::move(i));
}

inline const Tensor& Tensor::copy_(const Tensor& from, bool) const {
  TORCH_CHECK(scalar_type() == from.scalar_type(), "torch_lite: copy_ from ", from.scalar_type(),
              " to ", scalar_type(), " would convert; legal: one dtype");
  const Tensor source = from.sizes() == sizes() ? from : from.expand(sizes());
  if (numel() == 0) return *this;
  // The trailing dimensions that are contiguous in both are one copy.
  int64_t run = 1, outer = dim();
  while (outer > 0 &&
         (size(outer - 1) == 1 || (stride(outer - 1) == run && source.stride(outer - 1) == run)))
    run *= size(--outer);
  const auto bytes = static_cast<size_t>(run * element_size());
  for (int64_t i = 0; i < numel() / run; ++i) {
    int64_t rest = i, to = 0, at = 0;
    for (int64_t d = outer; d-- > 0; rest /= size(d)) {
      to += rest % size(d) * stride(d);
      at += rest % size(d) * source.stride(d);
    }
    C10_HIP_CHECK(hipMemcpy(static_cast<char*>(data_ptr()) + to * element_size(),
                            static_cast<const char*>(source.data_ptr()) + at * element_size(),
                            bytes, hipMemcpyDefault));
  }
  return *this;
}
inline Tensor Tensor::clone() const {
  Tensor t = empty_like(*this);
  t.copy_(*this);
  return t;
}
inline Tensor Tensor::contiguous(MemoryFormat) const { return is_contiguous() ? *this : clone(); }

template <class T>
const Tensor& Tensor::fill_(T value) const {
  Tensor on_host = at::empty({numel()}, TensorOptions(scalar_type()));
  const auto fill = [&](auto one) {
    for (int64_t i = 0; i < numel(); ++i) static_cast<decltype(one)*>(on_host.data_ptr())[i] = one;
  };
  switch (scalar_type()) {
    case ScalarType::Half:
      fill(c10::Half(static_cast<float>(value)));
      break;
    case ScalarType::BFloat16:
      fill(c10::BFloat16(static_cast<float>(value)));
      break;
    case ScalarType::Float:
      fill(static_cast<float>(value));
      break;
    case ScalarType::Double:
      fill(static_cast<double>(value));
      break;
    case ScalarType::Int:
      fill(static_cast<int32_t>(value));
      break;
    case ScalarType::Long:
      fill(static_cast<int64_t>(value));
      break;
    case ScalarType::Byte:
      fill(static_cast<uint8_t>(value));
      break;
    case ScalarType::Char:
      fill(static_cast<int8_t>(value));
      break;
    default:
      TORCH_CHECK(false, "torch_lite: fill_ of ", scalar_type(), " is not implemented");
  }
  return copy_(on_host.view(sizes()));
}
// Zero is all bits zero in every dtype.
inline const Tensor& Tensor::zero_() const {
  if (numel() == 0) return *this;
  if (is_contiguous()) {
    C10_HIP_CHECK(hipMemset(data_ptr(), 0, nbytes()));
    return *this;
  }
  return copy_(zeros(sizes(), options()));
}
template <class T>
T Tensor::item() const {
  TORCH_CHECK(numel() == 1, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  T value{};
  const T* from = data_ptr<T>();
  C10_HIP_CHECK(hipMemcpy(&value, from, sizeof(T), hipMemcpyDefault));
  return value;
}

}  // namespace at
