// Which preparations and operators can meet, and the cases that show what becomes of it: operators
// are selected by name and dtype, so every module that prepares for a name is paired with every
// module that has an operator of that name.
#pragma once

#include <string>
#include <vector>

#include "core/case.h"
#include "kernels/module.h"

namespace w4 {

struct PairModule {
  std::string path;  // as in a case line; "builtin"
  const w4_module* table = nullptr;
};

struct PairCase {
  Case value;
  bool written = false;  // the preparer declares what the case asks for, but for its own call
  bool selected = true;  // the operator declares the dtype
};

struct Pair {
  std::string kernel, preparer, op;  // name, paths
  std::vector<PairCase> cases;
};

// Of every kernel that a module has besides the built-in one, or of all built-in kernels where
// there is no other module. Cases: each dtype, G, encoding of zero points and source format that
// the preparer or the operator declares, on a small layer. `kernel`: only this one; empty: all.
std::vector<Pair> pairs_of(const std::vector<PairModule>& modules, const std::string& kernel,
                           const std::string& device);

}  // namespace w4
