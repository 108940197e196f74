// at::Tensor: shape, strides in elements, dtype, device and a view into a storage whose size is
// known to the byte. A copy is another name for the same tensor. Views that would reach outside the
// storage throw, as do all wrong indices, with torch's words. What a kernel's launcher has no use
// for is not there, and says so when it is compiled (w4/lacks.h).
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "w4/storage.h"

namespace at {

using c10::ArrayRef;
using c10::Device;
using c10::IntArrayRef;
using c10::MemoryFormat;
using c10::ScalarType;
using c10::TensorOptions;

class Tensor {
 public:
  struct Impl {
    std::shared_ptr<w4::torch_lite::Storage> storage;
    std::vector<int64_t> sizes, strides;
    int64_t offset = 0;  // elements
    ScalarType type = ScalarType::Undefined;
  };

  Tensor() = default;
  explicit Tensor(Impl impl) : impl_(std::make_shared<Impl>(std::move(impl))) { check_bounds(); }

  bool defined() const { return impl_ != nullptr; }
  int64_t dim() const { return static_cast<int64_t>(get().sizes.size()); }
  int64_t ndimension() const { return dim(); }
  IntArrayRef sizes() const { return get().sizes; }
  IntArrayRef strides() const { return get().strides; }
  int64_t size(int64_t d) const { return get().sizes[wrap(d)]; }
  int64_t stride(int64_t d) const { return get().strides[wrap(d)]; }
  // 0 of an undefined tensor, as in torch.
  int64_t numel() const {
    int64_t n = 1;
    if (!defined()) return 0;
    for (const int64_t s : impl_->sizes) n *= s;
    return n;
  }
  int64_t storage_offset() const { return get().offset; }
  int64_t element_size() const { return c10::elementSize(get().type); }
  int64_t itemsize() const { return element_size(); }
  size_t nbytes() const { return static_cast<size_t>(numel() * element_size()); }
  ScalarType scalar_type() const { return defined() ? impl_->type : ScalarType::Undefined; }
  caffe2::TypeMeta dtype() const { return scalar_type(); }
  c10::Device device() const { return get().storage->device(); }
  c10::DeviceIndex get_device() const { return device().index(); }
  bool is_cuda() const { return defined() && device().is_cuda(); }
  bool is_hip() const { return false; }
  bool is_cpu() const { return defined() && device().is_cpu(); }
  bool is_meta() const { return defined() && device().is_meta(); }
  bool is_sparse() const { return false; }
  bool is_quantized() const { return false; }
  bool requires_grad() const { return false; }
  bool is_floating_point() const { return c10::isFloatingType(scalar_type()); }
  c10::Layout layout() const { return c10::kStrided; }
  bool is_same(const Tensor& o) const { return impl_ == o.impl_; }
  TensorOptions options() const { return TensorOptions(scalar_type()).device(device()); }
  const Impl& impl() const { return get(); }

  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const {
    int64_t expected = 1;
    if (numel() == 0) return true;
    for (size_t d = get().sizes.size(); d-- > 0;) {
      if (impl_->sizes[d] == 1) continue;
      if (impl_->strides[d] != expected) return false;
      expected *= impl_->sizes[d];
    }
    return true;
  }
  bool is_non_overlapping_and_dense() const {
    for (size_t d = 0; d < get().sizes.size(); ++d) {
      if (impl_->strides[d] == 0 && impl_->sizes[d] > 1) return false;
    }
    return is_contiguous() || (dim() == 2 && t().is_contiguous());
  }

  void* data_ptr() const {
    if (get().storage->data() == nullptr || numel() == 0) return nullptr;
    return static_cast<char*>(impl_->storage->data()) + impl_->offset * element_size();
  }
  const void* const_data_ptr() const { return data_ptr(); }
  void* mutable_data_ptr() const { return data_ptr(); }
  template <class T>
  T* data_ptr() const {
    constexpr ScalarType want = c10::CppTypeToScalarType<std::remove_const_t<T>>::value;
    TORCH_CHECK(scalar_type() == want, "expected scalar type ", c10::toString(want), " but found ",
                c10::toString(scalar_type()));
    return static_cast<T*>(data_ptr());
  }
  template <class T>
  const std::remove_const_t<T>* const_data_ptr() const {
    return data_ptr<std::remove_const_t<T>>();
  }
  template <class T>
  T* mutable_data_ptr() const {
    return data_ptr<T>();
  }

  // Of the same memory.
  Tensor as_strided(IntArrayRef sizes, IntArrayRef strides,
                    c10::optional<int64_t> offset = {}) const {
    TORCH_CHECK(sizes.size() == strides.size(), "mismatch in length of strides and shape");
    Impl i = get();
    i.sizes = sizes.vec();
    i.strides = strides.vec();
    if (offset) i.offset = *offset;
    return Tensor(std::move(i));
  }
  Tensor view(IntArrayRef sizes) const {
    auto strided = viewed(sizes);
    TORCH_CHECK(strided.defined(),
                "view size is not compatible with input tensor's size and stride (at least one "
                "dimension spans across two contiguous subspaces). Use .reshape(...) instead.");
    return strided;
  }
  Tensor view(ScalarType type) const {
    const int64_t from = element_size(), to = c10::elementSize(type);
    Impl i = get();
    i.type = type;
    if (from != to) {
      TORCH_CHECK(dim() > 0 && stride(-1) == 1, "self.stride(-1) must be 1 to view ", scalar_type(),
                  " as ", type, " (different element sizes), but got ", dim() > 0 ? stride(-1) : 0);
      TORCH_CHECK(i.sizes.back() * from % to == 0 && i.offset * from % to == 0,
                  "self.size(-1) must be divisible by ", to / from, " to view ", scalar_type(),
                  " as ", type, " (different element sizes), but got ", i.sizes.back());
      i.sizes.back() = i.sizes.back() * from / to;
      i.offset = i.offset * from / to;
      for (size_t d = 0; d + 1 < i.strides.size(); ++d) {
        TORCH_CHECK(i.strides[d] * from % to == 0, "self.stride(", d, ") must be divisible by ",
                    to / from, " to view ", scalar_type(), " as ", type,
                    " (different element sizes), but got ", i.strides[d]);
        i.strides[d] = i.strides[d] * from / to;
      }
    }
    return Tensor(std::move(i));
  }
  Tensor reshape(IntArrayRef sizes) const {
    auto strided = viewed(sizes);
    return strided.defined() ? strided : contiguous().view(sizes);
  }
  Tensor flatten() const { return reshape({-1}); }
  Tensor transpose(int64_t a, int64_t b) const {
    Impl i = get();
    std::swap(i.sizes[wrap(a)], i.sizes[wrap(b)]);
    std::swap(i.strides[wrap(a)], i.strides[wrap(b)]);
    return Tensor(std::move(i));
  }
  Tensor t() const {
    TORCH_CHECK(dim() <= 2, "t() expects a tensor with <= 2 dimensions, but self is ", dim(), "D");
    return dim() < 2 ? *this : transpose(0, 1);
  }
  Tensor permute(IntArrayRef order) const {
    TORCH_CHECK(static_cast<int64_t>(order.size()) == dim(),
                "permute(sparse_coo): number of dimensions in the tensor input does not match the "
                "length of the desired ordering of dimensions i.e. input.dim() = ",
                dim(), " is not equal to len(dims) = ", order.size());
    Impl i = get();
    for (size_t d = 0; d < order.size(); ++d) {
      i.sizes[d] = size(order[d]);
      i.strides[d] = stride(order[d]);
    }
    return Tensor(std::move(i));
  }
  Tensor narrow(int64_t d, int64_t start, int64_t length) const {
    const int64_t whole = size(d);
    TORCH_CHECK(-whole <= start && start <= whole,
                "start out of range (expected to be in range of [", -whole, ", ", whole,
                "], but got ", start, ")");
    if (start < 0) start += whole;
    TORCH_CHECK(length >= 0 && start <= whole - length, "start (", start, ") + length (", length,
                ") exceeds dimension size (", whole, ").");
    Impl i = get();
    i.sizes[wrap(d)] = length;
    i.offset += start * stride(d);
    return Tensor(std::move(i));
  }
  Tensor slice(int64_t d, int64_t start, int64_t end) const {
    const int64_t whole = size(d);
    const auto in = [&](int64_t v) {
      return v < 0 ? (v + whole < 0 ? 0 : v + whole) : (v > whole ? whole : v);
    };
    return narrow(d, in(start), in(end) > in(start) ? in(end)-in(start) : 0);
  }
  Tensor select(int64_t d, int64_t index) const {
    const int64_t whole = size(d);
    TORCH_CHECK_INDEX(-whole <= index && index < whole, "select(): index ", index,
                      " out of range for tensor of size ", sizes(), " at dimension ", d);
    const Tensor one = narrow(d, index, 1);
    return one.squeeze(d);
  }
  Tensor operator[](int64_t index) const { return select(0, index); }
  Tensor squeeze(int64_t d) const {
    if (size(d) != 1) return *this;
    Impl i = get();
    i.sizes.erase(i.sizes.begin() + static_cast<int64_t>(wrap(d)));
    i.strides.erase(i.strides.begin() + static_cast<int64_t>(wrap(d)));
    return Tensor(std::move(i));
  }
  Tensor unsqueeze(int64_t d) const {
    Impl i = get();
    const int64_t at = d < 0 ? d + dim() + 1 : d;
    TORCH_CHECK_INDEX(at >= 0 && at <= dim(),
                      "Dimension out of range (expected to be in range of [", -dim() - 1, ", ",
                      dim(), "], but got ", d, ")");
    i.strides.insert(i.strides.begin() + at, at < dim() ? stride(at) * size(at) : 1);
    i.sizes.insert(i.sizes.begin() + at, 1);
    return Tensor(std::move(i));
  }
  Tensor expand(IntArrayRef sizes) const {
    Impl i = get();
    const int64_t added = static_cast<int64_t>(sizes.size()) - dim();
    TORCH_CHECK(added >= 0, "expand: the number of sizes provided (", sizes.size(),
                ") must be greater or equal to the number of dimensions in the tensor (", dim(),
                ")");
    i.sizes = sizes.vec();
    i.strides.assign(sizes.size(), 0);
    for (int64_t d = 0; d < dim(); ++d) {
      auto& s = i.sizes[static_cast<size_t>(d + added)];
      if (s == -1) s = size(d);
      TORCH_CHECK(s == size(d) || size(d) == 1, "The expanded size of the tensor (", s,
                  ") must match the existing size (", size(d), ") at non-singleton dimension ",
                  d + added, ".");
      if (s == size(d)) i.strides[static_cast<size_t>(d + added)] = stride(d);
    }
    return Tensor(std::move(i));
  }
  const Tensor& detach() const { return *this; }

  // These read or write the memory (w4/factories.h).
  Tensor contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  Tensor clone() const;
  const Tensor& copy_(const Tensor& from, bool non_blocking = false) const;
  const Tensor& zero_() const;
  template <class T>
  const Tensor& fill_(T value) const;
  template <class T>
  T item() const;
  // Streams are one here: nothing to record.
  template <class S>
  void record_stream(const S&) const {}

#include "w4/lacks.h"

 private:
  const Impl& get() const {
    TORCH_CHECK(defined(), "Expected a proper Tensor but got None (or an undefined Tensor in C++)");
    return *impl_;
  }
  size_t wrap(int64_t d) const {
    const int64_t n = dim() == 0 ? 1 : dim();
    TORCH_CHECK_INDEX(d >= -n && d < n && dim() > 0,
                      "Dimension out of range (expected to be in range of [", -n, ", ", n - 1,
                      "], but got ", d, ")");
    return static_cast<size_t>(d < 0 ? d + n : d);
  }
  void check_bounds() const {
    int64_t last = impl_->offset;
    for (size_t d = 0; d < impl_->sizes.size(); ++d) {
      TORCH_CHECK(impl_->sizes[d] >= 0, "Trying to create tensor with negative dimension ",
                  impl_->sizes[d], ": ", sizes());
      TORCH_CHECK(
          impl_->strides[d] >= 0,
          "as_strided: Negative strides are not supported at the moment, got strides: ", strides());
      if (impl_->sizes[d] == 0) return;
      last += (impl_->sizes[d] - 1) * impl_->strides[d];
    }
    const int64_t bytes = (last + 1) * element_size();
    TORCH_CHECK(impl_->offset >= 0 && static_cast<uint64_t>(bytes) <= impl_->storage->bytes(),
                "setStorage: sizes ", sizes(), ", strides ", strides(), ", storage offset ",
                impl_->offset, ", and itemsize ", element_size(), " requiring a storage size of ",
                bytes, " are out of bounds for storage of size ", impl_->storage->bytes());
  }
  // Undefined where no strides do it.
  Tensor viewed(IntArrayRef wanted) const;

  std::shared_ptr<Impl> impl_;
};

inline Tensor Tensor::viewed(IntArrayRef wanted) const {
  std::vector<int64_t> to = wanted.vec();
  int64_t known = 1, open = -1;
  for (size_t d = 0; d < to.size(); ++d) {
    if (to[d] == -1) {
      TORCH_CHECK(open < 0, "only one dimension can be inferred");
      open = static_cast<int64_t>(d);
    } else {
      TORCH_CHECK(to[d] >= 0, "invalid shape dimension ", to[d]);
      known *= to[d];
    }
  }
  const bool fits = open < 0 ? known == numel() : known != 0 && numel() % known == 0;
  TORCH_CHECK(fits, "shape '", wanted, "' is invalid for input of size ", numel());
  if (open >= 0) to[static_cast<size_t>(open)] = numel() / known;

  Impl i = get();
  std::vector<int64_t> strides(to.size(), 1);
  // Each run of old dimensions that follow each other in memory is cut into new ones, from the end.
  size_t next = to.size();
  int64_t run = 1, made = 1, step = i.strides.empty() ? 1 : i.strides.back();
  for (size_t d = i.sizes.size(); numel() != 0 && d-- > 0;) {
    run *= i.sizes[d];
    if (d > 0 && (i.sizes[d - 1] == 1 || i.strides[d - 1] == run * step)) continue;
    while (next > 0 && (made < run || to[next - 1] == 1)) {
      strides[--next] = made * step;
      made *= to[next];
    }
    if (made != run) return {};
    if (d > 0) {
      step = i.strides[d - 1];
      run = made = 1;
    }
  }
  if (numel() == 0) {
    int64_t s = 1;
    for (size_t d = to.size(); d-- > 0; s *= to[d] > 0 ? to[d] : 1) strides[d] = s;
  }
  i.sizes = std::move(to);
  i.strides = std::move(strides);
  return Tensor(std::move(i));
}

}  // namespace at
