// The audits of a zoo module's kernels and of the selection table it is built with: what no call
// shows. Asked of a worker, since the module is native code.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "kernels/selection.h"

namespace w4::zoo {

// The selection table that an open zoo module was built with; nullptr: it has none.
const SelectionTable* selection_of(const std::string& module_path);

// In a worker: the sentences of what is wrong, as a JSON array; {"error": …} where the module
// cannot be opened.
std::string audit_answer(const std::string& module_path);

// Starts a worker and asks it. Empty: nothing is wrong. Errors: it gives no answer.
Result<std::vector<std::string>> audit_module(const std::string& module_path, double seconds);

}  // namespace w4::zoo
