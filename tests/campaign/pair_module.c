/* The built-in kernels as another code base has them: one op name, one contract of zero points.
 * W4_CONTRACT names it, W4_ZP_PACKED or W4_ZP_UNPACKED: preparation writes that encoding whatever
 * it is asked for, and the operator reads that encoding. With W4_CHECKS it refuses another, without
 * it takes any tensor for its own, as an op whose signature has only a pointer does. zp.unpacked forbids
 * symmetric weights too. */
#include <dlfcn.h>
#include <string.h>

#include "kernels/module.h"

#ifndef W4_CHECKS
#define W4_CHECKS 0
#endif

static w4_kernel clean;

static int packed(void) { return W4_CONTRACT == W4_ZP_PACKED; }

static const char* clause(void) { return packed() ? "zp.encoding" : "zp.unpacked"; }

static int refused(const w4_call* call, const w4_device* device) {
  if (call->zp == NULL ? packed() : !W4_CHECKS || call->zp->layout == W4_CONTRACT) return 0;
  device->refuse(device->self, clause(), "the other encoding of zero points");
  return 1;
}

static w4_call read_as_ours(const w4_call* call, w4_tensor* zp) {
  w4_call ours = *call;
  if (call->zp == NULL) return ours;
  *zp = *call->zp;
  zp->layout = W4_CONTRACT;
  zp->dtype = packed() ? W4_I32 : call->act->dtype;
  zp->dim[0] = packed() ? call->wei->dim[0] / 8 : call->wei->dim[0];
  ours.zp = zp;
  return ours;
}

static int accept(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  w4_tensor zp;
  const w4_call ours = read_as_ours(call, &zp);
  (void)self;
  return refused(call, device) ? 1 : clean.accept(&clean, &ours, device);
}

static int run(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  w4_tensor zp;
  const w4_call ours = read_as_ours(call, &zp);
  (void)self;
  return refused(call, device) ? 1 : clean.run(&clean, &ours, device);
}

static int prepare(const w4_kernel* self, const w4_source* source, const w4_device* device,
                   w4_prepared* out) {
  w4_source ours = *source;
  (void)self;
  ours.zp_wanted = W4_CONTRACT;
  return clean.prepare(&clean, &ours, device, out);
}

const w4_module* w4_module_v1(void) {
  static const w4_layout layouts[] = {W4_CONTRACT};
  static const char* clauses[128];
  static w4_kernel kernel;
  static const w4_module module = {W4_MODULE_VERSION, sizeof(w4_kernel), "pair", &kernel, 1};
  void* handle = dlopen(W4_CLEAN, RTLD_NOW | RTLD_LOCAL);
  const w4_module* (*entry)(void) = NULL;
  size_t count = 0;
  if (handle == NULL) return NULL;
  *(void**)&entry = dlsym(handle, W4_MODULE_ENTRY);
  if (entry == NULL) return NULL;
  for (int i = 0; i < entry()->kernel_count; i++) {
    if (strcmp(entry()->kernels[i].name, "decode") == 0) clean = entry()->kernels[i];
  }
  kernel = clean;
  while (clean.clauses[count] != NULL && count < 126) {
    clauses[count] = clean.clauses[count];
    count++;
  }
  clauses[count] = clause();
  kernel.clauses = clauses;
  kernel.zp_layouts = layouts;
  kernel.zp_layout_count = 1;
  kernel.shape = NULL;
  kernel.accept = accept;
  kernel.run = run;
  kernel.prepare = prepare;
  return &module;
}
