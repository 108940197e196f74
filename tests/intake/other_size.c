#include "kernels/module.h"

const w4_module* w4_module_v1(void) {
  static const w4_module module = {W4_MODULE_VERSION, 8, "other", 0, 0};
  return &module;
}
