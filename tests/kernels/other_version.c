#include "kernels/module.h"

const w4_module* w4_module_v0(void);

const w4_module* w4_module_v0(void) {
  static const w4_module module = {W4_MODULE_VERSION + 1, "other", 0, 0};
  return &module;
}
