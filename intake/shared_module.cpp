#include "intake/shared_module.h"

#include <dlfcn.h>

namespace w4 {

Result<void*> load_library(const std::string& path) {
  // A name without a slash would be looked up in the system's library path.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) return fail("module '{}': cannot open it: {}", path, dlerror());
  return handle;
}

Result<std::shared_ptr<const SharedModule>> SharedModule::make(void* library,
                                                               const std::string& path) {
  const std::shared_ptr<SharedModule> module(new SharedModule);
  using Entry = const w4_module* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, W4_MODULE_ENTRY));
  if (entry == nullptr) {
    if (dlsym(library, "w4_module_v0") != nullptr) {
      return fail("module '{}': built for version 0 of kernels/module.h; legal: version {}", path,
                  W4_MODULE_VERSION);
    }
    return fail("module '{}': no entry {}; legal: a shared object that exports it", path,
                W4_MODULE_ENTRY);
  }
  module->table_ = entry();
  if (module->table_ == nullptr)
    return fail("module '{}': {} gave no table", path, W4_MODULE_ENTRY);
  if (module->table_->version != W4_MODULE_VERSION) {
    return fail("module '{}': interface version {}; legal: {}", path, module->table_->version,
                W4_MODULE_VERSION);
  }
  if (module->table_->kernel_bytes != sizeof(w4_kernel)) {
    return fail("module '{}': a w4_kernel of {} bytes; legal: {}, as version {} has it", path,
                module->table_->kernel_bytes, sizeof(w4_kernel), W4_MODULE_VERSION);
  }
  if (module->table_->kernels == nullptr || module->table_->kernel_count <= 0) {
    return fail("module '{}': no kernels in its table", path);
  }
  return module;
}

}  // namespace w4
