/* What the host side (C) and the device side (HIP) of the example agree on, and what its C files
 * share. */
#ifndef SKINNY_H_
#define SKINNY_H_

#include <stdint.h>

#define SKINNY_WAVES 4  /* of a block */
#define SKINNY_M 5      /* most rows of act */
#define SKINNY_LDS 8192 /* activations in the kernel's LDS array, 16 KiB */

/* The argument of every kernel, by value. Addresses of device memory; 0: absent. */
typedef struct SkinnyArgs {
  uint64_t act, wei, scale, zp, bias, out;
  uint32_t m, n, k, groups; /* groups: K/G, the row length of scale and zp */
  uint32_t bias_m_stride, bias_n_stride;
} SkinnyArgs;

#if !defined(__cplusplus)
#include <w4check/module.h>

/* checks.c: 0: legal; otherwise it has refused. */
int skinny_check(const w4_call* call, const w4_device* device);
extern const char* const skinny_clauses[];

/* prepare.c */
int skinny_prepare(const w4_kernel* self, const w4_source* source, const w4_device* device,
                   w4_prepared* out);

/* Refuses by the clause and returns 1; the message as printf makes it. */
int skinny_refuse(const w4_device* device, const char* clause, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
#endif
#endif
