#include "kernels/module.h"

const w4_module* w4_module_v1(void) { return 0; }
