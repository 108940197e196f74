#include "intake/call_sizes.h"

namespace w4 {

Sizes sizes_of(const w4_call& c, const w4_device& device) {
  Sizes s{.m = c.act->dim[0], .n = c.wei->dim[0], .k = c.act->dim[1], .g = c.group_size};
  s.cus = c.cu_count;
  s.lds = device.property(device.self, W4_PROP_LDS_PER_BLOCK);
  s.lda = c.act->stride[0];
  s.ldy = c.out->stride[0];
  s.wei_stride = c.wei->stride[0];
  s.scale_stride = c.scale->stride[0];
  if (c.carrier != nullptr) s.carrier_stride = c.carrier->stride[0];
  if (c.zp != nullptr) {
    s.has_zp = 1;
    s.zp_packed = c.zp->layout == W4_ZP_PACKED;
    s.zp_stride = c.zp->stride[0];
  }
  if (c.bias != nullptr) {
    const w4_tensor& b = *c.bias;
    s.has_bias = 1;
    s.bias_rows = b.rank == 1 ? 1 : b.dim[0];
    s.bias_cols = b.dim[b.rank - 1];
    s.bias_stride = b.stride[0];
    s.bias_m_stride = s.bias_rows == 1 ? 0 : b.stride[0];
    s.bias_n_stride = s.bias_cols == 1 ? 0 : b.stride[b.rank - 1];
  }
  s.act_bf16 = c.act->dtype == W4_BF16;
  return s;
}

}  // namespace w4
