/* A table that lacks one field. */
#include "kernels/module.h"

static int yes(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  (void)self, (void)call, (void)device;
  return 0;
}

const w4_module* w4_module_v1(void) {
  static const char* const archs[] = {"gfx1151", 0};
  static const char* const clauses[] = {0};
  static w4_kernel kernel;
  static const w4_module module = {W4_MODULE_VERSION, sizeof(w4_kernel), "half", &kernel, 1};
  kernel.name = "decode";
  kernel.says = "cannot prepare";
  kernel.archs = archs;
  kernel.clauses = clauses;
  kernel.accept = yes;
  kernel.run = yes;
  return &module;
}
