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

static int prepare(const w4_kernel* self, const w4_source* source, const w4_device* device,
                   w4_prepared* out) {
  (void)self, (void)source, (void)out;
  device->refuse(device->self, "group.size", "nothing is prepared here");
  return 1;
}

static double weight(w4_dtype act, double q, double z, double s) {
  (void)act;
  return (q - z) * s;
}

static uint16_t store(w4_dtype act, double acc, double bias, int has_bias) {
  (void)act, (void)acc, (void)bias, (void)has_bias;
  return 0;
}

static w4_chain chain(w4_dtype act, int64_t m, int64_t n, int64_t k, int64_t g, int64_t cu_count) {
  const w4_chain one = {W4_UNIT_DOT2, 1, 1, 1, 0};
  (void)act, (void)m, (void)n, (void)k, (void)g, (void)cu_count;
  return one;
}

const w4_module* w4_module_v1(void) {
  static const char* const archs[] = {"gfx1151", NULL};
  static const char* const clauses[] = {NULL};
  static const w4_numerics numerics = {weight, store, chain, "none", NULL};
  static w4_kernel kernel;
  static const w4_module module = {W4_MODULE_VERSION, sizeof(w4_kernel), "planted", &kernel, 1};
  kernel.name = "decode";
  kernel.says = "planted";
  kernel.archs = archs;
  kernel.clauses = clauses;
  kernel.numerics = &numerics;
  kernel.prepare = prepare;
  kernel.accept = yes;
  kernel.run = run;
  return &module;
}
