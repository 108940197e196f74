// A shared object with host code of its own, seen through kernels/module.h.
#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "kernels/module.h"

namespace w4 {

// The handle of a shared object, which is never unmapped: devices remember code objects by address.
Result<void*> load_library(const std::string& path);

class SharedModule {
 public:
  // `library`: of load_library. Errors name what it lacks or has in another version than
  // w4_module_v1.
  static Result<std::shared_ptr<const SharedModule>> make(void* library, const std::string& path);
  const w4_module& table() const { return *table_; }

 private:
  SharedModule() = default;
  const w4_module* table_ = nullptr;
};

}  // namespace w4
