#include "intake/tensor_of.h"

#include "kernels/descriptors.h"

namespace w4 {

const w4_tensor* tensor_of(const w4_call& call, Role role) {
  switch (role) {
    case Role::act:
      return call.act;
    case Role::wei:
      return call.wei;
    case Role::scale:
      return call.scale;
    case Role::zp:
      return call.zp;
    case Role::bias:
      return call.bias;
    case Role::carrier:
      return call.carrier;
    case Role::out:
      break;
  }
  return call.out;
}

Result<w4_tensor> seen_as(const w4_tensor& t, w4_dtype dtype) {
  w4_tensor out = t;
  out.dtype = dtype;
  const int64_t from = bytes_of(t.dtype), to = bytes_of(dtype);
  if (from == to) return out;
  const auto whole = [&](int64_t elements) { return elements * from % to == 0; };
  const int32_t last = t.rank - 1;
  bool fits = t.stride[last] == 1 && whole(t.dim[last]);
  for (int32_t d = 0; d < last; ++d) {
    fits = fits && whole(t.stride[d]);
    out.stride[d] = t.stride[d] * from / to;
  }
  if (!fits) {
    return fail("rows of {} of {} cannot be seen as {}", name_of(t.dtype), shape_of(t),
                name_of(dtype));
  }
  out.dim[last] = t.dim[last] * from / to;
  return out;
}

}  // namespace w4
