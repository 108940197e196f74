// The part of the command line that the engine does not know.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "fuzz/target.h"

namespace w4::fuzz {

struct Options {
  bool list = false, help = false;
  bool unguided = false;             // inputs of uniform bytes, no feedback
  Target target;                     // where neither list nor help
  std::string module;                // of every case; empty: the built-in kernels
  std::vector<std::string> devices;  // emulated archs to choose from; empty: gfx1151
  std::vector<std::string> own;      // the options above, a word each, for child processes
  std::vector<std::string> rest;     // words that begin with a single '-', and paths
};

// `words`: the command line, the program's own name first. A program called w4fuzz_NAME needs no
// --target. Errors name the option, its value and what is legal.
Result<Options> parse_options(std::span<const std::string> words);

// What --help prints. `engine`: whether the program has one.
std::string usage(bool engine);

// Exit codes besides the engine's own.
inline constexpr int kUsage = 2, kRed = 1;

}  // namespace w4::fuzz
