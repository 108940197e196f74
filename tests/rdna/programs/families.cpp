// All families: what is not here does not run.
#include "tests/rdna/programs/program.h"

namespace w4::rdna::programs {

std::span<const Family> families() {
  static const Family kFamilies[] = {
      {"integer", integer_programs()}, {"bits", bits_programs()},
      {"floats", floats_programs()},   {"doubles", doubles_programs()},
      {"halves", halves_programs()},   {"control", control_programs()},
      {"calls", calls_programs()},     {"memory", memory_programs()},
      {"lds", lds_programs()},         {"lanes", lanes_programs()},
      {"atomics", atomics_programs()},
  };
  return kFamilies;
}

}  // namespace w4::rdna::programs
