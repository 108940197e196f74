// A defect as a scoped edit of a clean source: text inside one named definition is replaced. The
// production sources know nothing of it.
//
//   # comment
//   file kernels/decode.cpp
//   scope group_arm
//   - case 64:
//   -   return 64;
//   + case 64:
//   +   return 128;
//
// A scope is a function, a class, a variable with an initialiser or a macro; `f<int>` is one
// specialisation, `Type::f` a member of one class (scope.h). The `-` lines must occur exactly once
// in what bears the name, white space aside; the `+` lines (there may be none) take their place. A
// file may hold several edits, of several files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace w4 {

struct Edit {
  std::string file;   // relative to the root of the source tree
  std::string scope;  // name of the enclosing definition
  std::string find, replace;
  int line = 0;  // of `file` in the .edit
};

// Errors name the line.
Result<std::vector<Edit>> parse_edits(std::string_view text);

// The source with the edit applied. Errors: no such definition, text not in it or more than once.
Result<std::string> apply_edit(const Edit& edit, std::string_view source);

}  // namespace w4
