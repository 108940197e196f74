/* The host side of the example: which kernel a call runs, its launch, what it rounds, and the table
 * that w4check asks for. checks.c has the refusals, prepare.c the weights. */
#include "skinny.h"

#include <stdarg.h>
#include <stdio.h>

/* The code object, put into this module by w4check_add_module(… CODE_OBJECTS …). */
extern const unsigned char skinny_gfx1151[], skinny_gfx1151_end[];

int skinny_refuse(const w4_device* device, const char* clause, const char* format, ...) {
  char text[256];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  device->refuse(device->self, clause, text);
  return 1;
}

/* One arm for each group size that the checks let through. */
static int group_arm(int64_t g) {
  switch (g) {
    case 32:
      return 32;
    case 64:
      return 64;
    default:
      return 128;
  }
}

/* Two encodings come under one signature: their tags tell them apart. */
static const char* zp_arm(const w4_tensor* zp) {
  if (zp == NULL) return "none";
  return zp->layout == W4_ZP_PACKED ? "packed" : "unpacked";
}

/* The kernel's array decides, whatever LDS the device has. */
static int64_t staged_elements(const w4_device* device) {
  (void)device;
  return SKINNY_LDS;
}

/* Rows of a 2-D bias are as far apart as the bias is wide; what is repeated has stride 0. */
static void bias_strides(const w4_call* call, SkinnyArgs* args) {
  const w4_tensor* bias = call->bias;
  if (bias == NULL) return;
  const int64_t rows = bias->rank == 1 ? 1 : bias->dim[0];
  const int64_t cols = bias->dim[bias->rank - 1];
  args->bias = bias->device;
  args->bias_n_stride = cols == 1 ? 0 : 1;
  args->bias_m_stride = (uint32_t)(rows == 1 ? 0 : cols);
}

static int accept(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  (void)self;
  return skinny_check(call, device);
}

static int run(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  (void)self;
  if (skinny_check(call, device) != 0) return 1;
  const int64_t m = call->act->dim[0], k = call->act->dim[1], n = call->wei->dim[0];
  const char* form = m * k <= staged_elements(device) ? "lds" : "global";
  const int g = group_arm(call->group_size);
  SkinnyArgs args = {.act = call->act->device,
                     .wei = call->wei->device,
                     .scale = call->scale->device,
                     .zp = call->zp == NULL ? 0 : call->zp->device,
                     .out = call->out->device,
                     .m = (uint32_t)m,
                     .n = (uint32_t)n,
                     .k = (uint32_t)k,
                     .groups = (uint32_t)(k / call->group_size)};
  bias_strides(call, &args);
  char symbol[64], text[64];
  snprintf(symbol, sizeof symbol, "skinny_g%d_%s_%s", g, zp_arm(call->zp), form);
  snprintf(text, sizeof text, "%s m%d g%d f16 %s", form, (int)m, g, zp_arm(call->zp));
  const w4_launch launch = {.object = skinny_gfx1151,
                            .object_bytes = (size_t)(skinny_gfx1151_end - skinny_gfx1151),
                            .symbol = symbol,
                            .grid = {(uint32_t)((n + SKINNY_WAVES - 1) / SKINNY_WAVES), 1, 1},
                            .block = {32, SKINNY_WAVES, 1},
                            .args = &args,
                            .arg_bytes = sizeof args};
  const int result = device->launch(device->self, &launch);
  device->ran(device->self, text);
  return result;
}

/* What the kernel rounds, to be carried out in double. q - z is one fp32 subtraction, its product
 * with the scale one fp32 rounding. */
static double weight(w4_dtype act, double q, double z, double s) {
  (void)act;
  return (double)(float)((double)(float)(q - z) * s);
}

/* The sum is an fp32 number, the bias is added in fp32, the store rounds once. */
static uint16_t store(w4_dtype act, double acc, double bias, int has_bias) {
  union {
    _Float16 number;
    uint16_t bits;
  } out;
  float sum = (float)acc;
  (void)act;
  if (has_bias) sum += (float)bias;
  out.number = (_Float16)sum;
  return out.bits;
}

/* A lane takes every 32nd word of eight codes: that many fma on the longest path, then five
 * additions across lanes. */
static w4_chain chain(w4_dtype act, int64_t m, int64_t n, int64_t k, int64_t g, int64_t cu_count) {
  const w4_chain c = {.unit = W4_UNIT_FMA32, .steps = (int32_t)((k + 255) / 256 * 8 + 5)};
  (void)act, (void)m, (void)n, (void)g, (void)cu_count;
  return c;
}

const w4_module* w4_module_v1(void) {
  static const w4_layout zero_points[] = {W4_ZP_PACKED, W4_ZP_UNPACKED};
  static const char* const archs[] = {"gfx1151", NULL};
  static const char* const laws[] = {"permute_n", "row_alone", "row_isolation", "repeat",
                                     "schedule",  "cu_count",  "addresses",     NULL};
  static const w4_numerics numerics = {
      .weight = weight,
      .store = store,
      .chain = chain,
      .text = "A weight is (q - z) * s, each operation rounded to fp32. A lane adds products by fma "
              "in fp32, words of eight apart by 32; five additions across lanes; the bias is added "
              "in fp32; one rounding to fp16."};
  static const w4_kernel kernel = {.name = "skinny",
                                   .says = "W4A16 GEMM for M = 1 to 5 in fp16: a wave a column",
                                   .clauses = skinny_clauses,
                                   .zp_layouts = zero_points,
                                   .zp_layout_count = 2,
                                   .numerics = &numerics,
                                   .archs = archs,
                                   .accept = accept,
                                   .prepare = skinny_prepare,
                                   .run = run,
                                   .laws = laws};
  static const w4_module module = {W4_MODULE_VERSION, sizeof(w4_kernel), "skinny example", &kernel,
                                   1};
  return &module;
}
