// What the machine code of one kernel is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace w4::diff {

struct Code {
  std::string demangled, arch;
  uint64_t text = 0;  // hash of its object's code: equal where nothing of it changed
  uint64_t own = 0;   // of the kernel's own instructions and what it is launched with
  // Bytes, registers and waves by name ("VGPRs", "static LDS", "waves per SIMD"), and instructions:
  // "instructions" all together, "VOP3P instructions" those of one class of the ISA documents. Both
  // halves of a VOPD form count in theirs.
  std::map<std::string, int64_t> figures;
  // Whether the same instructions stand in it as often, in whatever order.
  uint64_t inventory = 0;
};

// Errors: the bytes are no code object, or it has no such kernel.
Result<Code> code_of(std::span<const std::byte> object, std::string_view symbol);

}  // namespace w4::diff
