// What a kernel declares about itself, as named texts: what two versions of it promise can then be
// held against each other line by line.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/module.h"

namespace w4::diff {

struct Declared {
  // "clause" (in the order they are checked), "zp" (encodings), "arch", "law".
  std::map<std::string, std::vector<std::string>> lists;
  // "weights", "carrier", "experts", "assembly", "shape", "numerics.text", and the numerics carried
  // out at a few points: "numerics.chain f16 m5" and the like. Texts of one line.
  std::map<std::string, std::string> texts;
};

Declared declared_by(const w4_kernel& kernel);

}  // namespace w4::diff
