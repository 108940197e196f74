// What a module's table holds, by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/module.h"

namespace w4 {

inline const w4_kernel* find_kernel(const w4_module& module, std::string_view name) {
  for (const w4_kernel& k : std::span(module.kernels, static_cast<size_t>(module.kernel_count))) {
    if (name == k.name) return &k;
  }
  return nullptr;
}

// A NULL-terminated list of names; NULL: none.
inline std::vector<std::string> names_in(const char* const* list) {
  std::vector<std::string> out;
  for (; list != nullptr && *list != nullptr; ++list) out.emplace_back(*list);
  return out;
}

inline bool has_code(const w4_kernel& kernel, std::string_view arch) {
  for (const char* const* a = kernel.archs; *a != nullptr; ++a) {
    if (arch == *a) return true;
  }
  return false;
}

}  // namespace w4
