// Makes the operators of a source file callable through intake/ops.h. A generated file includes the
// source, this header, and lists what it exports:
//     W4_OPS_BEGIN
//     W4_OP(wvSplitK)
//     W4_OPS_END("/path/of/skinny_gemms.cu", "gfx1151", "")
// What each parameter is follows from the function's type.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "intake/hip/w4hip.h"
#include "intake/ops.h"
#include "w4/torch.h"

namespace w4::torch_lite {

// One parameter type: its kind, and a value of it that lives as long as the call.
template <class T, class = void>
struct Parameter {
  static constexpr w4_op_kind kind = W4_OP_UNKNOWN;
};

inline c10::ScalarType type_of(const w4_tensor& t) {
  switch (t.dtype) {
    case W4_F16:
      return c10::kHalf;
    case W4_BF16:
      return c10::kBFloat16;
    case W4_F32:
      return c10::kFloat;
    case W4_F64:
      return c10::kDouble;
    case W4_I8:
      return c10::kChar;
    case W4_U8:
      return c10::kByte;
    case W4_I32:
      return c10::kInt;
    case W4_U32:
      return c10::kUInt32;
    case W4_I64:
      return c10::kLong;
  }
  return c10::ScalarType::Undefined;
}

inline w4_dtype dtype_of(const at::Tensor& t) {
  switch (t.scalar_type()) {
    case c10::kHalf:
      return W4_F16;
    case c10::kBFloat16:
      return W4_BF16;
    case c10::kFloat:
      return W4_F32;
    case c10::kDouble:
      return W4_F64;
    case c10::kChar:
      return W4_I8;
    case c10::kByte:
      return W4_U8;
    case c10::kInt:
      return W4_I32;
    case c10::kUInt32:
      return W4_U32;
    case c10::kLong:
      return W4_I64;
    default:
      TORCH_CHECK(false, "the operator returned a tensor of dtype ", t.scalar_type(),
                  ", which kernels/module.h does not have");
  }
}

inline at::Tensor tensor_of(const w4_tensor* t) {
  if (t == nullptr) return {};
  at::Tensor::Impl i;
  i.sizes.assign(t->dim, t->dim + t->rank);
  i.strides.assign(t->stride, t->stride + t->rank);
  i.type = type_of(*t);
  void* const data = t->host != nullptr ? t->host : reinterpret_cast<void*>(t->device);
  i.storage = std::make_shared<Storage>(
      data, t->bytes, t->host != nullptr ? c10::Device(c10::kCPU) : c10::Device(c10::kCUDA, 0));
  return at::Tensor(std::move(i));
}

inline void describe(const at::Tensor& t, w4_tensor* out) {
  TORCH_CHECK(t.defined(), "the operator returned an undefined tensor");
  TORCH_CHECK(t.dim() >= 1 && t.dim() <= 3, "the operator returned a tensor of ", t.dim(),
              " dimensions; legal: 1 to 3");
  *out = {};
  out->dtype = dtype_of(t);
  out->rank = static_cast<int32_t>(t.dim());
  for (int64_t d = 0; d < t.dim(); ++d) {
    out->dim[d] = t.size(d);
    out->stride[d] = t.stride(d);
  }
  const auto& storage = t.impl().storage;
  const uint64_t before = static_cast<uint64_t>(t.storage_offset() * t.element_size());
  out->bytes = storage->bytes() - before;
  auto* const data = static_cast<char*>(storage->data()) + before;
  if (t.is_cuda()) {
    out->device = reinterpret_cast<uint64_t>(data);
    storage->keep();
  } else {
    TORCH_CHECK(false, "the operator returned a tensor on ", t.device(), "; legal: cuda:0");
  }
}

template <>
struct Parameter<at::Tensor> {
  static constexpr w4_op_kind kind = W4_OP_TENSOR;
  static at::Tensor value(const w4_op_value& v) { return tensor_of(v.tensor); }
};
template <>
struct Parameter<std::optional<at::Tensor>> {
  static constexpr w4_op_kind kind = W4_OP_OPTIONAL;
  static std::optional<at::Tensor> value(const w4_op_value& v) {
    if (v.tensor == nullptr) return std::nullopt;
    return tensor_of(v.tensor);
  }
};
template <>
struct Parameter<bool> {
  static constexpr w4_op_kind kind = W4_OP_BOOL;
  static bool value(const w4_op_value& v) { return v.integer != 0; }
};
template <class T>
struct Parameter<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  static constexpr w4_op_kind kind = W4_OP_INT;
  static T value(const w4_op_value& v) {
    // As torch's bindings do.
    TORCH_CHECK(static_cast<int64_t>(static_cast<T>(v.integer)) == v.integer,
                "value cannot be converted to type ", sizeof(T) * 8,
                "-bit integer without overflow: ", v.integer);
    return static_cast<T>(v.integer);
  }
};
template <class T>
struct Parameter<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  static constexpr w4_op_kind kind = W4_OP_FLOAT;
  static T value(const w4_op_value& v) { return static_cast<T>(v.number); }
};
template <>
struct Parameter<std::string> {
  static constexpr w4_op_kind kind = W4_OP_TEXT;
  static std::string value(const w4_op_value& v) { return v.text == nullptr ? "" : v.text; }
};
template <>
struct Parameter<std::string_view> {
  static constexpr w4_op_kind kind = W4_OP_TEXT;
  static std::string_view value(const w4_op_value& v) { return v.text == nullptr ? "" : v.text; }
};
template <>
struct Parameter<const char*> {
  static constexpr w4_op_kind kind = W4_OP_TEXT;
  static const char* value(const w4_op_value& v) { return v.text == nullptr ? "" : v.text; }
};

template <class T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <class R>
constexpr w4_op_kind result_kind() {
  if (std::is_void_v<R>) return W4_OP_NOTHING;
  return std::is_same_v<Plain<R>, at::Tensor> ? W4_OP_TENSOR : W4_OP_UNKNOWN;
}

template <auto F>
struct Operator;

template <class R, class... P, R (*F)(P...)>
struct Operator<F> {
  // One more, as an array of none is no array.
  static constexpr w4_op_kind takes[sizeof...(P) + 1] = {Parameter<Plain<P>>::kind...,
                                                         W4_OP_NOTHING};
  static constexpr bool callable =
      ((Parameter<Plain<P>>::kind != W4_OP_UNKNOWN) && ...) && result_kind<R>() != W4_OP_UNKNOWN;

  template <size_t... I>
  static void apply(const w4_op_value* values, w4_tensor* result, std::index_sequence<I...>) {
    std::tuple<Plain<P>...> held{Parameter<Plain<P>>::value(values[I])...};
    // A parameter by value or by rvalue reference takes the held one, a reference names it.
    if constexpr (std::is_void_v<R>) {
      F(static_cast<P&&>(std::get<I>(held))...);
    } else {
      const at::Tensor made = F(static_cast<P&&>(std::get<I>(held))...);
      if (result != nullptr) describe(made, result);
    }
  }

  static void refuse(const w4_device* device, std::string what) {
    if (const char* const error = w4hip_first_error()) what += std::string(" (") + error + ")";
    device->refuse(device->self, "", what.c_str());
  }

  static int call(const w4_device* device, int32_t dry, const w4_op_value* values,
                  w4_tensor* result) {
    ++call_number();
    w4hip_bind(device);
    w4hip_dry(dry);
    int done = 0;
    try {
      if (dry != 0) Storage::restore(*device);
      if constexpr (callable) {
        apply(values, result, std::index_sequence_for<P...>());
      } else {
        TORCH_CHECK(false,
                    "an operator with a parameter or a result of a type that "
                    "intake/ops.h has no kind for cannot be called");
      }
    } catch (const std::exception& e) {
      done = 1;
      if (w4hip_launch_result() == 0) refuse(device, e.what());
    } catch (...) {
      done = 1;
      device->refuse(device->self, "", "something was thrown that is no std::exception");
    }
    if (dry == 0) Storage::save(*device);
    // A later call of HIP or torch would meet the error that this one did not look at.
    const char* const error = w4hip_first_error();
    if (done == 0 && error != nullptr && w4hip_launch_result() == 0) {
      done = 1;
      refuse(device, "a call of HIP failed and the operator went on");
    }
    // What was thrown because a launch failed is the launch's failure.
    if (w4hip_launch_result() != 0) done = 2;
    w4hip_dry(0);
    w4hip_bind(nullptr);
    return done;
  }

  static constexpr w4_op row(const char* name) {
    return {name, takes, static_cast<int32_t>(sizeof...(P)), result_kind<R>(), &call};
  }
};

}  // namespace w4::torch_lite

#define W4_OPS_BEGIN                                                                \
  extern "C" __attribute__((visibility("default"))) const w4_ops* w4_ops_v1(void) { \
    static const w4_op rows[] = {
#define W4_OP(NAME) ::w4::torch_lite::Operator<&NAME>::row(#NAME),
#define W4_OPS_END(SOURCE, ARCH, MANIFEST)                                              \
  {                                                                                     \
    nullptr, nullptr, 0, W4_OP_NOTHING, nullptr                                         \
  }                                                                                     \
  }                                                                                     \
  ;                                                                                     \
  static const w4_ops table = {W4_OPS_VERSION,                                          \
                               sizeof(w4_op),                                           \
                               SOURCE,                                                  \
                               ARCH,                                                    \
                               MANIFEST,                                                \
                               rows,                                                    \
                               static_cast<int32_t>(sizeof rows / sizeof rows[0]) - 1}; \
  return &table;                                                                        \
  }
