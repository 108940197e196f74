#include "core/dtypes.h"
#include "kernels/descriptors.h"
#include "kernels/nibbles.h"
#include "kernels/prepare_parts.h"

namespace w4::prepare {
namespace {

template <class T>
void copy_scales(const w4_tensor& in, const w4_tensor& out, const Part& p) {
  const Rows<T> from(in);
  const Rows<T> to(out);
  const bool transposed = in.layout == W4_SCALE_TRANSPOSED;
  for (int64_t n = 0; n < p.n; n++) {
    for (int64_t g = 0; g < p.groups; g++) {
      to.set(n, g, transposed ? from.get(p.g0 + g, p.n0 + n) : from.get(p.n0 + n, p.g0 + g));
    }
  }
}

Failed packed_zeros(const w4_source& s, const Part& p, const w4_device& device, w4_tensor& out) {
  if (auto no = allocate(device, W4_I32, W4_ZP_PACKED, p.n / 8, p.groups, s.scale_row_pad, out)) {
    return no;
  }
  const Zeros zeros(*s.zp, p);
  const Rows<uint32_t> to(out);
  for (int64_t row = 0; row < p.n / 8; row++) {
    for (int64_t g = 0; g < p.groups; g++) {
      uint32_t word = 0;
      for (int64_t i = 0; i < 8; i++) word |= zeros.code(8 * row + i, g) << (4 * i);
      to.set(row, g, word);
    }
  }
  return {};
}

Failed unpacked_zeros(const w4_source& s, const Part& p, const w4_device& device, w4_tensor& out) {
  const bool from_numbers = s.zp->layout == W4_ZP_UNPACKED;
  const w4_dtype dtype = from_numbers ? s.zp->dtype : s.scale->dtype;
  if (auto no = allocate(device, dtype, W4_ZP_UNPACKED, p.n, p.groups, s.scale_row_pad, out)) {
    return no;
  }
  const Zeros zeros(*s.zp, p);
  const Rows<uint16_t> numbers(*s.zp);
  const Rows<uint16_t> to(out);
  for (int64_t n = 0; n < p.n; n++) {
    for (int64_t g = 0; g < p.groups; g++) {
      to.set(n, g,
             from_numbers ? numbers.get(p.n0 + n, p.g0 + g)
                          : from_f64(static_cast<DType>(dtype), zeros.code(n, g)));
    }
  }
  return {};
}

}  // namespace

uint32_t Zeros::code(int64_t n, int64_t g) const {
  const int64_t row = part_.n0 + n;
  const int64_t group = part_.g0 + g;
  const auto slot = static_cast<uint32_t>(row % 8) * 4;
  switch (layout_) {
    case W4_ZP_PACKED:
      return words_.get(row / 8, group) >> slot & 15u;
    case W4_ZP_AWQ:
      return unshuffle_nibbles(words_.get(group, row / 8)) >> slot & 15u;
    case W4_ZP_GPTQ_V1:
      return ((words_.get(group, row / 8) >> slot) + 1u) & 15u;
    default:
      return words_.get(group, row / 8) >> slot & 15u;
  }
}

Failed check_scales(const w4_source& s, const Part& p) {
  if (s.scale == nullptr)
    return refusal("scale.dtype", "the scale tensor is missing; legal: a tensor");
  const w4_tensor& in = *s.scale;
  if (in.layout != W4_DENSE && in.layout != W4_SCALE_TRANSPOSED) {
    return refusal("scale.stride", "scales are {}; legal: dense [N,K/G], transposed [K/G,N]",
                   name_of(in.layout));
  }
  const bool transposed = in.layout == W4_SCALE_TRANSPOSED;
  return check_shape("scale.stride", "scale", in, transposed ? p.all_groups : p.all_n,
                     transposed ? p.all_n : p.all_groups, false);
}

// A symmetric source's zero points are not even looked at (contract.md K5).
Failed check_zeros(const w4_source& s, const Part& p) {
  if (s.symmetric != 0) return {};
  if (s.zp == nullptr) {
    return refusal("zp.dtype",
                   "asymmetric weights without zero points; legal: a zero-point tensor");
  }
  if (s.zp_wanted != W4_ZP_PACKED && s.zp_wanted != W4_ZP_UNPACKED) {
    return refusal("zp.dtype", "{} wanted; legal: packed or unpacked zero points",
                   name_of(s.zp_wanted));
  }
  const w4_tensor& in = *s.zp;
  const bool unpacked = in.layout == W4_ZP_UNPACKED;
  if (!unpacked && in.layout != W4_ZP_PACKED && in.layout != W4_ZP_AWQ &&
      in.layout != W4_ZP_GPTQ_V1 && in.layout != W4_ZP_GPTQ_V2) {
    return refusal("zp.dtype", "zero points are {}; legal: packed, unpacked, AWQ, GPTQ v1 or v2",
                   name_of(in.layout));
  }
  // `source.octet` speaks of checkpoint formats; the kernel's own packed form has `zp.octet`.
  if (!unpacked && (p.n % 8 != 0 || p.all_n % 8 != 0)) {
    const bool checkpoint = s.wei->layout != W4_WEI_SHUFFLED;
    return refusal(checkpoint ? "source.octet" : "zp.octet",
                   "N = {} of {} with {}; legal: multiples of 8", p.n, p.all_n, name_of(in.layout));
  }
  const bool rows_of_n = unpacked || in.layout == W4_ZP_PACKED;
  const int64_t n = unpacked ? p.all_n : p.all_n / 8;
  if (auto bad = check_shape("zp.dtype", "zero-point", in, rows_of_n ? n : p.all_groups,
                             rows_of_n ? p.all_groups : n, !unpacked)) {
    return bad;
  }
  if (unpacked && s.zp_wanted == W4_ZP_PACKED) {
    return refusal("zp.dtype",
                   "packed zero points wanted from unpacked ones, which may be any number; legal: "
                   "a packed source, or unpacked wanted");
  }
  const w4_dtype numbers = unpacked ? in.dtype : s.scale->dtype;
  if (s.zp_wanted == W4_ZP_UNPACKED && numbers != W4_F16 && numbers != W4_BF16) {
    return refusal("zp.dtype", "unpacked zero points are or would be {}; legal: f16, bf16",
                   name_of(numbers));
  }
  return {};
}

// No change of dtype: whether it suits the activations is the kernel's check.
Failed scales(const w4_source& s, const Part& p, const w4_device& device, w4_tensor& out) {
  const w4_tensor& in = *s.scale;
  if (auto no = allocate(device, in.dtype, W4_DENSE, p.n, p.groups, s.scale_row_pad, out)) {
    return no;
  }
  switch (bytes_of(in.dtype)) {
    case 2:
      copy_scales<uint16_t>(in, out, p);
      break;
    case 4:
      copy_scales<uint32_t>(in, out, p);
      break;
    case 8:
      copy_scales<uint64_t>(in, out, p);
      break;
    case 1:
      copy_scales<uint8_t>(in, out, p);
      break;
    default:
      return refusal("scale.dtype", "scale dtype is {}; legal: f16, bf16", name_of(in.dtype));
  }
  return {};
}

Failed zeros(const w4_source& s, const Part& p, const w4_device& device, w4_tensor& out) {
  if (s.symmetric != 0) return {};
  return s.zp_wanted == W4_ZP_PACKED ? packed_zeros(s, p, device, out)
                                     : unpacked_zeros(s, p, device, out);
}

}  // namespace w4::prepare
