// Compiles an upstream HIP source, unmodified and with its host launcher, into a module of
// operators (ops.h): the compiler sees intake/torch_lite in place of torch's headers, and libw4hip
// is what the result links.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace w4 {

// What can be compiled for.
inline constexpr std::string_view kIntakeArchs[] = {"gfx1100", "gfx1101", "gfx1102", "gfx1103",
                                                    "gfx1150", "gfx1151", "gfx1200", "gfx1201"};

struct CompileRequest {
  // Operators are functions of the first; the others are what it calls.
  std::vector<std::string> sources;
  std::string arch, out;
  std::string manifest;          // text, put into the module; empty: none
  std::vector<std::string> ops;  // functions, as the source spells them
  std::vector<std::string> include_dirs, defines, flags;
  std::string keep;  // folder for what is compiled and how; empty: a temporary one, removed
  std::function<bool()> stop{};  // asked while the compiler runs: true ends it
};

// What the program needs beside itself: from the build tree or from an installed prefix, whichever
// holds the running program.
struct IntakeTools {
  std::string include_root;  // holds kernels/module.h, intake/ops.h
  std::string torch_lite;
  std::string hip_library;  // libw4hip.so
  std::string clang, rocm;  // rocm: "/usr" where no ROCm that knows the arch is installed
  std::string bitcode;      // device libraries
};

// $W4_CLANG, else the clang of a ROCm (in $ROCM_PATH or /opt/rocm) that knows `arch`, else
// clang++-19. Errors name what is missing and where it was looked for.
Result<IntakeTools> find_intake_tools(std::string_view arch);

// True: compiled, and put in place of `out` in one step. False: the compiler said no; what it said
// went to standard error. Errors: what could not be run or written.
Result<bool> compile_source(const CompileRequest& request, const IntakeTools& tools);

// Names of functions in a source that take tensors, in order of definition: candidates for `ops`.
// Found by their spelling, at the start of a line.
std::vector<std::string> functions_with_tensors(std::string_view source);

}  // namespace w4
