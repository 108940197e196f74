/* A module whose kernel takes every call and launches a symbol that its code object does not have:
 * the object is W4_BORROWED, a whole one of other kernels. */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/module.h"

static int yes(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  (void)self, (void)call, (void)device;
  return 0;
}

static int run(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  static unsigned char object[1 << 22];
  static size_t bytes;
  char text[128];
  w4_launch launch = {0};
  (void)self;
  if (bytes == 0) {
    FILE* f = fopen(W4_BORROWED, "rb");
    if (f == NULL) return 1;
    bytes = fread(object, 1, sizeof object, f);
    fclose(f);
  }
  launch.object = object;
  launch.object_bytes = bytes;
  launch.symbol = "w4_decode_small_m9_y9_u9_g64_f16_symmetric";
  device->launch(device->self, &launch);
  snprintf(text, sizeof text, "small m%lld g%lld", (long long)call->act->dim[0],
           (long long)call->group_size);
  device->ran(device->self, text);
  return 0;
}

const w4_module* w4_module_v1(void);
const w4_module* w4_module_v1(void) {
  static const char* const archs[] = {"gfx1151", NULL};
  static const char* const clauses[] = {NULL};
  static w4_kernel kernel;
  static const w4_module module = {W4_MODULE_VERSION, sizeof(w4_kernel), "planted", &kernel, 1};
  kernel.name = "decode";
  kernel.says = "planted";
  kernel.archs = archs;
  kernel.clauses = clauses;
  kernel.accept = yes;
  kernel.run = run;
  return &module;
}
