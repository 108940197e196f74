// The entry of the kernels as a shared object: compiled into modules only, never into the program.
#include "kernels/table.h"

extern "C" __attribute__((visibility("default"))) const w4_module* w4_module_v1() {
  return &w4::builtin_module();
}
