// A module in any of its forms, by its path: the one loader (design.md, "Kernel modules").
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "kernels/module.h"

namespace w4 {

// Stands for the built-in module where a path is wanted that is not left out.
inline constexpr std::string_view kBuiltIn = "builtin";

enum class ModuleForm : uint8_t {
  built_in,  // "" or "builtin"
  manifest,  // JSON beside code objects (object_module.h)
  shared,    // a shared object that exports w4_module_v1 (shared_module.h)
  operators  // a source that `w4check intake` has compiled: it exports w4_ops_v1 (op_module.h)
};

// What the file holds, before any of its code runs; a file that cannot be read counts as shared.
ModuleForm form_of(const std::string& path);

struct OpenModule {
  ModuleForm form = ModuleForm::built_in;
  const w4_module* table = nullptr;
  std::shared_ptr<const void> owner;  // of the table

  const w4_kernel* find(std::string_view kernel) const;  // nullptr: not there
  // Host code that is not ours runs in the process.
  bool native() const { return form == ModuleForm::shared || form == ModuleForm::operators; }
};

// The form is told by what the file holds. Errors name the path, what is wrong and what is legal.
// A shared object runs code of its own as it is opened.
Result<OpenModule> open_module(const std::string& path);

}  // namespace w4
