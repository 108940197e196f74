/* What `w4check intake` puts into a .w4m: the operators of an upstream source file, as functions
 * that take tensors by description, and the manifest that says what their arguments mean. The glue
 * that fills these tables in is intake/torch_lite/w4_glue.h; intake/op_module.h makes a module of
 * them. C only; the two sides are built by different compilers at different times.
 */
#ifndef W4_INTAKE_OPS_H_
#define W4_INTAKE_OPS_H_

#include "kernels/module.h"

#ifdef __cplusplus
extern "C" {
#endif

#define W4_OPS_VERSION 1u
#define W4_OPS_ENTRY "w4_ops_v1"

typedef enum w4_op_kind {
  W4_OP_TENSOR,   /* at::Tensor, by value or reference; tensor == NULL: an undefined tensor */
  W4_OP_OPTIONAL, /* std::optional<at::Tensor>; tensor == NULL: none */
  W4_OP_INT,      /* int64_t, int and the like */
  W4_OP_FLOAT,    /* double, float */
  W4_OP_BOOL,
  W4_OP_TEXT,    /* std::string, const char*, c10::string_view */
  W4_OP_NOTHING, /* of a result: void */
  W4_OP_UNKNOWN  /* a type the glue has no value for */
} w4_op_kind;

/* The shape, strides and dtype of `tensor` are what the operator sees; `layout` it cannot see. */
typedef struct w4_op_value {
  const w4_tensor* tensor;
  int64_t integer; /* W4_OP_INT, W4_OP_BOOL */
  double number;   /* W4_OP_FLOAT */
  const char* text;
} w4_op_value;

typedef struct w4_op {
  const char* name;        /* as the source spells it, namespaces included: "wvSplitK" */
  const w4_op_kind* takes; /* of each parameter */
  int32_t parameters;
  w4_op_kind returns; /* W4_OP_TENSOR or W4_OP_NOTHING, or not callable */
  /* Calls it on `device`, to which libw4hip is bound meanwhile; `dry`: launches do nothing. Memory
   * that it asks for comes from device->device_alloc. 0: done, and *result describes what it
   * returned (on the device, its memory lives as long as the case). 1: refused: device->refuse has
   * been called with clause "" and the text of what was thrown. 2: a launch failed. */
  int (*call)(const w4_device* device, int32_t dry, const w4_op_value* values, w4_tensor* result);
} w4_op;

typedef struct w4_ops {
  uint32_t version;     /* W4_OPS_VERSION */
  uint32_t op_bytes;    /* sizeof(w4_op) */
  const char* source;   /* path of the source file as it was given */
  const char* arch;     /* what its device code was compiled for: "gfx1151" */
  const char* manifest; /* text (intake/manifest.h), or "" */
  const w4_op* ops;
  int32_t count;
} w4_ops;

/* const w4_ops* w4_ops_v1(void); */

#ifdef __cplusplus
}
#endif
#endif
