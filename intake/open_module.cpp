#include "intake/open_module.h"

#include <dlfcn.h>

#include <fstream>
#include <span>

#include "intake/in_module.h"
#include "intake/object_module.h"
#include "intake/op_module.h"
#include "intake/shared_module.h"
#include "kernels/lookup.h"
#include "kernels/table.h"

namespace w4 {
namespace {

// The first byte that is no blank; 0: there is none.
char first_character(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char c = 0;
  in >> c;
  return c;
}

}  // namespace

ModuleForm form_of(const std::string& path) {
  if (path.empty() || path == kBuiltIn) return ModuleForm::built_in;
  const bool manifest = path.ends_with(".json") || first_character(path) == '{';
  return manifest ? ModuleForm::manifest : ModuleForm::shared;
}

const w4_kernel* OpenModule::find(std::string_view kernel) const {
  return find_kernel(*table, kernel);
}

Result<OpenModule> open_module(const std::string& path) {
  if (path.find('\0') != std::string::npos) return fail("module: the path has a NUL byte in it");
  const ModuleForm form = form_of(path);
  if (form == ModuleForm::built_in) return OpenModule{form, &builtin_module(), nullptr};
  if (form == ModuleForm::manifest) {
    auto opened = ObjectModule::open(path);
    if (!opened) return std::unexpected(opened.error());
    return OpenModule{ModuleForm::manifest, &(*opened)->table(), *opened};
  }
  const auto library = load_library(path);
  if (!library) return std::unexpected(library.error());
  using Operators = const w4_ops* (*)();
  if (const auto entry = reinterpret_cast<Operators>(dlsym(*library, W4_OPS_ENTRY))) {
    const w4_ops* const ops = [&] {
      const InModule here(W4_OPS_ENTRY "()", "", path);
      return entry();
    }();
    if (ops == nullptr) return fail("module '{}': {} gave no table", path, W4_OPS_ENTRY);
    auto made = OpModule::make(*ops, path);
    if (!made) return std::unexpected(made.error());
    return OpenModule{ModuleForm::operators, &(*made)->table(), *made};
  }
  auto opened = SharedModule::make(*library, path);
  if (!opened) return std::unexpected(opened.error());
  return OpenModule{ModuleForm::shared, &(*opened)->table(), *opened};
}

}  // namespace w4
