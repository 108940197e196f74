#include "kernels/prepare.h"

#include <limits>

#include "kernels/descriptors.h"
#include "kernels/prepare_parts.h"

namespace w4 {
namespace prepare {

Failed check_shape(const char* clause, const char* what, const w4_tensor& t, int64_t rows,
                   int64_t cols, bool words) {
  if (words && t.dtype != W4_I32 && t.dtype != W4_U32) {
    return refusal(clause, "{} dtype is {}; legal: i32, u32", what, name_of(t.dtype));
  }
  if (t.rank != 2 || t.dim[0] != rows || t.dim[1] != cols) {
    return refusal(clause, "{} shape is {} in {}; legal: [{},{}]", what, shape_of(t),
                   name_of(t.layout), rows, cols);
  }
  if (t.stride[1] != 1 || t.stride[0] < cols) {
    return refusal(clause, "{} strides are {} and {} elements; legal: at least {}, and 1", what,
                   t.stride[0], t.stride[1], cols);
  }
  if (t.host == nullptr && rows > 0 && cols > 0) {
    return refusal(clause, "{} has no host address; legal: a tensor in host memory", what);
  }
  return {};
}

Failed allocate(const w4_device& device, w4_dtype dtype, w4_layout layout, int64_t rows,
                int64_t cols, int64_t pad, w4_tensor& out) {
  const __int128 bytes = static_cast<__int128>(rows) * (cols + pad) * bytes_of(dtype);
  if (bytes > std::numeric_limits<int64_t>::max()) {
    return refusal("index.width", "prepared {} take {} bytes; legal: at most {}", name_of(layout),
                   bytes, std::numeric_limits<int64_t>::max());
  }
  out = {};
  out.dtype = dtype;
  out.layout = layout;
  out.rank = 2;
  out.dim[0] = rows;
  out.dim[1] = cols;
  out.stride[0] = cols + pad;
  out.stride[1] = 1;
  out.bytes = static_cast<uint64_t>(bytes);
  out.host = device.host_alloc(device.self, static_cast<size_t>(bytes));
  if (out.host == nullptr && bytes > 0) {
    return refusal("index.width", "no memory for {} bytes of prepared {}", bytes, name_of(layout));
  }
  return {};
}

namespace {

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();

Failed check_pads(const w4_source& s, const Part& p) {
  const int64_t row_bytes = p.k / 2 + p.k % 2;
  if (s.weight_row_pad_bytes < 0 || s.weight_row_pad_bytes > kInt32Max - row_bytes) {
    return refusal("weight.stride", "weight row pad is {} bytes; legal: 0 to {}",
                   s.weight_row_pad_bytes, kInt32Max - row_bytes);
  }
  if (s.scale_row_pad < 0 || s.scale_row_pad > kInt32Max - p.groups) {
    return refusal("scale.stride", "scale row pad is {} groups; legal: 0 to {}", s.scale_row_pad,
                   kInt32Max - p.groups);
  }
  return {};
}

Failed check_sizes(const w4_source& s) {
  if (s.experts != 0) {
    return refusal("experts.none", "the source has {} experts; legal: 0", s.experts);
  }
  if (s.group_size <= 0) {
    return refusal("group.size", "group size is {}; legal: 32, 64, 128", s.group_size);
  }
  if (s.n < 1) return refusal("n.positive", "N = {}; legal: at least 1", s.n);
  if (s.k < 1) return refusal("k.positive", "K = {}; legal: at least 1", s.k);
  if (s.k % s.group_size != 0) {
    return refusal("k.group",
                   "K = {} is not divisible by the group size {}; legal: multiples of {}", s.k,
                   s.group_size, s.group_size);
  }
  return {};
}

Failed prepare_all(const w4_kernel* self, const w4_source& s, const w4_device& device,
                   w4_prepared& out) {
  Part part;
  if (auto bad = check_sizes(s)) return bad;
  if (auto bad = find_part(s, part)) return bad;
  if (auto bad = check_pads(s, part)) return bad;
  if (auto bad = check_group_index(s, part)) return bad;
  if (auto bad = check_scales(s, part)) return bad;
  if (auto bad = check_zeros(s, part)) return bad;
  const bool dense = self != nullptr && self->dense_weights != 0;
  if (auto bad = (dense ? dense_weights : shuffled_weights)(s, part, device, out.wei)) return bad;
  if (auto bad = scales(s, part, device, out.scale)) return bad;
  if (auto bad = zeros(s, part, device, out.zp)) return bad;
  if (self == nullptr || self->reads_carrier == 0) return {};
  return carrier(s, part, device, out.carrier);
}

}  // namespace
}  // namespace prepare

int prepare_weights(const w4_kernel* self, const w4_source* source, const w4_device* device,
                    w4_prepared* out) {
  w4_prepared prepared{};
  if (const auto why = prepare::prepare_all(self, *source, *device, prepared)) {
    return refuse(*device, *why);
  }
  *out = prepared;
  return 0;
}

}  // namespace w4
