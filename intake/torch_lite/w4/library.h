// Registrations compile and do nothing: operators are named to w4check by a manifest or by --op.
// The names are looked up, so that a registration of a function that is not there is an error.
#pragma once

#include "w4/factories.h"

namespace torch {

enum class CppDispatch { ignored };
namespace kinds {
inline constexpr c10::DeviceType kCPU = c10::kCPU, kCUDA = c10::kCUDA, kHIP = c10::kHIP;
}

class Library {
 public:
  template <class... A>
  Library& def(const char*, const A&...) {
    return *this;
  }
  template <class... A>
  Library& impl(const char*, const A&...) {
    return *this;
  }
  template <class... A>
  Library& set_python_module(const A&...) {
    return *this;
  }
};

}  // namespace torch

#define W4_TORCH_JOIN_(A, B) A##B
#define W4_TORCH_JOIN(A, B) W4_TORCH_JOIN_(A, B)
#define W4_TORCH_REGISTRATION(NAME, M)             \
  [[maybe_unused]] static void W4_TORCH_JOIN(NAME, \
                                             __COUNTER__)([[maybe_unused]] ::torch::Library & M)
#define TORCH_LIBRARY(NS, M) W4_TORCH_REGISTRATION(w4_torch_library_, M)
#define TORCH_LIBRARY_FRAGMENT(NS, M) W4_TORCH_REGISTRATION(w4_torch_fragment_, M)
#define TORCH_LIBRARY_IMPL(NS, KEY, M) W4_TORCH_REGISTRATION(w4_torch_impl_, M)
#define TORCH_LIBRARY_EXPAND(NS, M) TORCH_LIBRARY(NS, M)
#define TORCH_LIBRARY_IMPL_EXPAND(NS, KEY, M) TORCH_LIBRARY_IMPL(NS, KEY, M)
#define PYBIND11_MODULE(NAME, M) W4_TORCH_REGISTRATION(w4_torch_pybind_, M)
#define REGISTER_EXTENSION(NAME)
#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME w4_torch_extension
#endif
