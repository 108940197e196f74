// The kernel table and the modules behind it: built in, or loaded from a shared object.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "kernels/module.h"

namespace w4 {

inline constexpr w4_layout kPackedZeroPoints[] = {W4_ZP_PACKED};
inline constexpr w4_layout kAllZeroPoints[] = {W4_ZP_PACKED, W4_ZP_UNPACKED};

// A row with what all built-in ones have alike: every arch of this build, every law that can hold
// bit for bit, checkpoints prepared as dense layers. zp_layouts: one of the above.
w4_kernel built_in_row(std::span<const w4_layout> zp_layouts);

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
