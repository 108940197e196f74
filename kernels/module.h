/* The one way in for every kernel, built-in ones included (module interface, version 1; C only).
 *
 * A module describes its kernels as data (clauses, layouts, numerics, promises), prepares weights
 * from a source format, and runs calls on a device through a table of functions. Tensors are typed
 * descriptors: two encodings under one signature is the defect this project was founded on.
 *
 * Version 1 is kept: its structs neither grow nor change; what comes later is another version with
 * another entry. A shared object exports
 *     const w4_module* w4_module_v1(void);
 * Everything a module hands out lives as long as it is loaded, which is until the process ends.
 * Functions are called from one thread at a time. docs/modules.md walks through an example.
 */
#ifndef W4_KERNELS_MODULE_H_
#define W4_KERNELS_MODULE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define W4_MODULE_VERSION 1u
#define W4_MODULE_ENTRY "w4_module_v1"

typedef enum w4_dtype {
  W4_F16,
  W4_BF16,
  W4_F32,
  W4_F64,
  W4_I8,
  W4_U8,
  W4_I32,
  W4_U32,
  W4_I64
} w4_dtype;

/* What the elements of a tensor mean (contract.md 2, 3, 5). Shapes in elements of `dtype`. */
typedef enum w4_layout {
  W4_DENSE,            /* row-major numbers: act [M,K], scale [N,K/G], bias, out [M,N] */
  W4_WEI_SHUFFLED,     /* i8 [N,K/2] (= i32 [N,K/8]): nibble order 0 2 4 6 1 3 5 7 along K */
  W4_WEI_SEQUENTIAL,   /* i32 [N,K/8]: compressed-tensors */
  W4_WEI_AWQ,          /* i32 [K,N/8]: AWQ order along N */
  W4_WEI_GPTQ,         /* i32 [K/8,N]: sequential along K */
  W4_ZP_UNPACKED,      /* act dtype [N,K/G]: the raw zero point as a number */
  W4_ZP_PACKED,        /* i32 [N/8,K/G]: row n at bits 4*(n mod 8) of word [n div 8, g] */
  W4_ZP_AWQ,           /* i32 [K/G,N/8]: AWQ order along N */
  W4_ZP_GPTQ_V1,       /* i32 [K/G,N/8]: sequential along N, z - 1 stored */
  W4_ZP_GPTQ_V2,       /* i32 [K/G,N/8]: sequential along N, z stored */
  W4_SCALE_TRANSPOSED, /* act dtype [K/G,N]: AWQ and GPTQ scales */
  W4_SCALE_CARRIER,    /* f32 [N,K/G], 32 bits each: scale and zero-point term (contract.md 11.4) */
  W4_GROUP_INDEX,      /* i32 [K]: GPTQ g_idx, the group of each k */
  W4_EXPERT_IDS,       /* i32 [blocks]: the expert of each block of rows, -1: none */
  W4_SORTED_IDS,       /* i32 [blocks*block_m]: the slot of each row, past the last slot: padding */
} w4_layout;

typedef struct w4_tensor {
  w4_dtype dtype;
  w4_layout layout;
  int32_t rank; /* 1 to 3 */
  int64_t dim[3];
  int64_t stride[3]; /* elements of dtype */
  uint64_t bytes;    /* extent from the first element to one past the last, padding included */
  uint64_t device;   /* device address of the first element, 0 where the tensor is on the host */
  void* host;        /* host address, NULL where the tensor is on the device */
} w4_tensor;

/* Operands of one call. Absent tensors are NULL. Shapes: act [M,K], wei [N,K/2] i8, scale [N,K/G],
 * zp by its layout, bias 1-D or 2-D, out [M,N]. M, N, K are derived from the tensors as the public
 * op does: N = wei.dim[0], K = act.dim[1], M = act.dim[0].
 * With a leading dimension: act [L,M/L,K], out [L,M/L,N].
 * MoE (contract.md 12), T tokens, S = T*top_k slots: act [T,K] ([S,K] where `contiguous`, [S,2K]
 * where `silu`: gate, then up), wei [E,N,K/2], scale [E,N,K/G], zp [E,N/8,K/G], out [S,N],
 * expert_ids [blocks], sorted_ids [blocks*block_m] (NULL: contiguous). */
typedef struct w4_call {
  const w4_tensor *act, *wei, *scale, *zp, *bias, *out;
  int64_t group_size;
  int64_t cu_count; /* blocks of the persistent grid; the caller passes the device's */
  const char* tile; /* forced tile "y2u4a16w16" or "bm64bn64bk32w4", or NULL for the table */
  const w4_tensor* carrier;                 /* kernels that read one */
  const w4_tensor *expert_ids, *sorted_ids; /* MoE kernels */
  int64_t top_k, block_m;
  int32_t silu;
} w4_call;

/* Weights as a checkpoint holds them (host memory), and which part of it is wanted: rows n0 to
 * n0+n, columns k0 to k0+k (a shard; all of it where both are 0 and the tensors have N = n, K = k).
 * `symmetric`: z = 8 everywhere; a zero-point tensor that exists all the same is ignored.
 * `experts` > 0: every tensor holds the experts' tensors one after the other along its first
 * dimension, which is `experts` times as long. */
typedef struct w4_source {
  const w4_tensor *wei, *scale, *zp;
  int64_t n, k, group_size;
  int32_t symmetric;
  w4_layout zp_wanted;          /* W4_ZP_PACKED or W4_ZP_UNPACKED where not symmetric */
  int64_t weight_row_pad_bytes; /* added to each prepared weight row */
  int64_t scale_row_pad;        /* groups added to each prepared scale and zero-point row */
  int64_t carrier_row_pad;      /* groups added to each row of the carrier */
  int64_t n0, k0;               /* where the shard starts in the checkpoint */
  int64_t experts;              /* 0: a dense layer */
  const w4_tensor* g_idx;       /* GPTQ: group of each k; NULL: k div G */
} w4_source;

/* Host tensors in memory of the device table's host_alloc, or the source's own where it is handed
 * on. zp.host, carrier.host NULL: none. */
typedef struct w4_prepared {
  w4_tensor wei, scale, zp, carrier;
} w4_prepared;

typedef struct w4_launch {
  const void* object; /* code object, bytes; for the arch "host" see devices/host_lane.h */
  size_t object_bytes;
  const char* symbol;         /* kernel symbol (mangled) */
  uint32_t grid[3], block[3]; /* grid in workgroups */
  uint32_t dynamic_lds;       /* bytes */
  const void* args;           /* explicit kernel arguments at their metadata offsets */
  size_t arg_bytes;
} w4_launch;

typedef enum w4_property {
  W4_PROP_CU_COUNT,      /* what hipDeviceProp::multiProcessorCount would say */
  W4_PROP_LDS_PER_BLOCK, /* bytes: what hipDeviceProp::sharedMemPerBlock would say */
  W4_PROP_WAVE,          /* lanes */
  W4_PROP_MAX_THREADS,   /* of a block */
} w4_property;

/* Functions a module calls; `self` goes first in each. Device addresses are numbers to the host:
 * only read, write and copy get at what is there. Those three return 0, or 1 where a range is not
 * inside one buffer; nothing has happened then, and the case ends as a harness error. */
typedef struct w4_device {
  uint32_t version; /* W4_MODULE_VERSION of the program */
  void* self;
  const char* arch; /* "gfx1151" */
  int64_t (*property)(void* self, w4_property which);
  void* (*host_alloc)(void* self, size_t bytes);      /* lives as long as the case; zeroed */
  uint64_t (*device_alloc)(void* self, size_t bytes); /* workspace, undefined content */
  void (*device_free)(void* self,
                      uint64_t address); /* of device_alloc; using it later is an error */
  int (*read)(void* self, uint64_t from, void* to, size_t bytes);
  int (*write)(void* self, uint64_t to, const void* from, size_t bytes);
  int (*copy)(void* self, uint64_t to, uint64_t from, size_t bytes); /* undefined bytes stay so */
  int (*launch)(void* self, const w4_launch* what); /* 0: ran; otherwise stop and return it */
  void (*refuse)(void* self, const char* clause, const char* message);
  void (*ran)(void* self, const char* instantiation); /* "medium m3 y4 u1 a16 w16 g64 f16 packed" */
} w4_device;

/* Numerics declaration (oracles.md 2), executable. Numbers in double, exact. */
typedef enum w4_unit { W4_UNIT_FMA32, W4_UNIT_DOT2, W4_UNIT_WMMA } w4_unit;
typedef struct w4_chain {
  w4_unit unit;
  int32_t steps;        /* n: roundings on the longest path from a product to the stored sum */
  int32_t chunk;        /* A. DOT2: elements per lane from scale to scale, 0: scaled weights. WMMA:
                           products of a matrix step, where steps follow each other along K; 0: in
                           an order not known */
  int32_t chunks;       /* chunks per lane on the longest path */
  int32_t offset_trick; /* bf16 decode: sums a*(128+q), subtracts (128+z)*sum a per chunk */
} w4_chain;
typedef struct w4_numerics {
  double (*weight)(w4_dtype act, double q, double z,
                   double s); /* value that multiplies an activation */
  uint16_t (*store)(w4_dtype act, double acc, double bias, int has_bias); /* bits written */
  /* `m`: rows of act, of a block where there are experts. */
  w4_chain (*chain)(w4_dtype act, int64_t m, int64_t n, int64_t k, int64_t g, int64_t cu_count);
  const char* text; /* one paragraph for reports */
  /* Fused silu(gate)*up: bits of the activation that the product sees; NULL: not promised. */
  uint16_t (*gate)(w4_dtype act, uint16_t gate, uint16_t up);
} w4_numerics;

typedef struct w4_kernel w4_kernel;
struct w4_kernel {
  const char* name; /* "decode": the first word of a case line */
  const char* says; /* one sentence */
  const char* const*
      clauses; /* names of core/contract.h in the order they are checked, NULL-terminated */
  const w4_layout* zp_layouts; /* accepted encodings */
  int32_t zp_layout_count;
  const w4_numerics* numerics;
  const char* const* archs; /* archs it has code for, NULL-terminated */
  int32_t inline_assembly;  /* holds waits that no compiler placed: checks=all has waits too */
  const void* data;         /* the module's own; the functions below get the kernel as `self` */
  /* 0: the call is legal; otherwise refuse() has been called. Launches nothing, writes nothing. */
  int (*accept)(const w4_kernel* self, const w4_call* call, const w4_device* device);
  /* 0: prepared; otherwise refuse() has been called. */
  int (*prepare)(const w4_kernel* self, const w4_source* source, const w4_device* device,
                 w4_prepared* out);
  /* Checks as accept() does, then launches. 0: launched; otherwise refused or launch()'s value. */
  int (*run)(const w4_kernel* self, const w4_call* call, const w4_device* device);
  int32_t dense_weights; /* call.wei is W4_DENSE, act dtype [N,K]; otherwise W4_WEI_SHUFFLED */
  int32_t reads_carrier; /* prepare() makes one, calls have one */
  int32_t moe;           /* calls have experts */
  /* The shape-only form: dtype, rank and dims of the output of a legal call, from the shapes alone
   * (addresses may be 0). 0: done; otherwise refuse() has been called. NULL: not promised. */
  int (*shape)(const w4_kernel* self, const w4_call* call, const w4_device* device, w4_tensor* out);
  /* The numerics of calls of these sizes, where not all calls have the same; NULL: `numerics`,
   * which may be NULL otherwise. */
  const w4_numerics* (*numerics_of)(const w4_kernel* self, int64_t m, int64_t n, int64_t k,
                                    int64_t g);
  /* Laws of core/law.h, by name, that hold bit for bit wherever both calls ran the same
   * instantiation and the data allow it (verify/laws); NULL-terminated. Laws that are not named,
   * all of them where this is NULL, are judged within the sum of both intervals. `repeat`,
   * `schedule`, `cu_count` and `addresses` promise equal bits whatever runs. */
  const char* const* laws;
};

typedef struct w4_module {
  uint32_t version;      /* W4_MODULE_VERSION */
  uint32_t kernel_bytes; /* sizeof(w4_kernel) where the module was built */
  const char* name;
  const w4_kernel* kernels;
  int32_t kernel_count; /* 1 to 4096 */
} w4_module;

/* The entry. A module defines it, the program does not. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const w4_module*
w4_module_v1(void);

#ifdef __cplusplus
}
#endif
#endif
