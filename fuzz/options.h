// The part of the command line that the engine does not know: --target NAME and --list.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "fuzz/target.h"

namespace w4::fuzz {

struct Options {
  bool list = false;
  std::string name;
  Target target = nullptr;        // the only one where --target is left out
  std::vector<std::string> rest;  // for the engine, or the files and folders to replay
};

Result<Options> parse_options(int argc, char** argv);

// Names of the targets, one a line.
std::string list_targets();

}  // namespace w4::fuzz
