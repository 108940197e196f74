#include "kernels/table.h"

#include <dlfcn.h>

#include "kernels/chunked.h"
#include "kernels/decode.h"
#include "kernels/hybrid.h"
#include "kernels/moe.h"
#include "kernels/moe_prefill.h"
#include "kernels/objects.h"
#include "kernels/prefill.h"
#include "kernels/prepare.h"

namespace w4 {

namespace {

// Each output is one sum, in an order that its K and the tile fix.
constexpr const char* kLaws[] = {"power_act",     "power_scale",  "permute_n",  "row_alone",
                                 "row_isolation", "zero_shift",   "implicit_8", "zero_form",
                                 "unused_zeros",  "split_groups", "no_bias",    "bias_adds",
                                 "extend_k",      "tail_act",     "repeat",     "schedule",
                                 "cu_count",      "addresses",    "one_hot",    nullptr};

}  // namespace

w4_kernel built_in_row(std::span<const w4_layout> zp_layouts) {
  w4_kernel k{};
  k.zp_layouts = zp_layouts.data();
  k.zp_layout_count = static_cast<int32_t>(zp_layouts.size());
  k.archs = kernel_archs();
  k.laws = kLaws;
  k.prepare = prepare_weights;
  return k;
}

const w4_module& builtin_module() {
#define W4_KERNEL(name) name##_kernel(),
  static const w4_kernel kernels[] = {
#include "kernels/kernels.inc"
  };
#undef W4_KERNEL
  static const w4_module module{W4_MODULE_VERSION, "built in", kernels,
                                static_cast<int32_t>(std::size(kernels))};
  return module;
}

Result<std::shared_ptr<const Module>> Module::open(const std::string& path) {
  const std::shared_ptr<Module> module(new Module);
  if (path.empty()) {
    module->table_ = &builtin_module();
    return module;
  }
  if (path.find('\0') != std::string::npos) return fail("module: the path has a NUL byte in it");
  // Never unmapped: devices remember code objects by address.
  // A name without a slash would be looked up in the system's library path.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  module->handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (module->handle_ == nullptr) return fail("module '{}': cannot open it: {}", path, dlerror());
  using Entry = const w4_module* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(module->handle_, W4_MODULE_ENTRY));
  if (entry == nullptr) {
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
  if (module->table_->kernels == nullptr || module->table_->kernel_count <= 0) {
    return fail("module '{}': no kernels in its table", path);
  }
  return module;
}

const w4_kernel* Module::find(std::string_view kernel) const {
  for (const w4_kernel& k : std::span(table_->kernels, static_cast<size_t>(table_->kernel_count))) {
    if (kernel == k.name) return &k;
  }
  return nullptr;
}

Module::~Module() {
  if (handle_ != nullptr) dlclose(handle_);
}

}  // namespace w4
