// The kernel table and the modules behind it: built in, or loaded from a shared object.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "kernels/module.h"

namespace w4 {

// The built-in module; its kernels are the rows of kernels/kernels.inc.
const w4_module& builtin_module();

// A loaded module; the shared object stays loaded while this lives.
class Module {
 public:
  // Empty path: the built-in module. Errors: cannot open, no entry symbol, other version, no
  // kernels.
  static Result<std::shared_ptr<const Module>> open(const std::string& path);
  const w4_module& table() const { return *table_; }
  const w4_kernel* find(std::string_view kernel) const;
  ~Module();

 private:
  Module() = default;
  void* handle_ = nullptr;
  const w4_module* table_ = nullptr;
};

}  // namespace w4
