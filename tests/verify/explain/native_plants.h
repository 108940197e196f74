// Faults planted for `explain` that a wrapper of the built-in kernels cannot make: a kernel in
// plain C++ on a FakeDevice, reading the call's tensors as memory. "right" is its clean twin.
#pragma once

#include <ostream>
#include <vector>

#include "verify/context.h"

namespace w4::test {

struct NativePlant {
  const char* name;  // of the kernel too
  const char* hypothesis;
  const char* line;          // its first word is replaced
  const char* pattern = "";  // where none fits: what the description has to say
};

inline void PrintTo(const NativePlant& p, std::ostream* out) { *out << p.name; }

std::vector<NativePlant> native_plants();

// Puts the module "native" and a FakeDevice for gfx1151.
void put_native(Context& context);

}  // namespace w4::test
