#include "kernels/clause_checks.h"

#include <algorithm>
#include <limits>

#include "core/contract.h"
#include "kernels/decode_args.h"
#include "kernels/descriptors.h"
#include "kernels/objects.h"

namespace w4 {
namespace {

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();
constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();

Broken aligned(const char* what, const w4_tensor* t, uint64_t to) {
  if (t == nullptr || t->device % to == 0) return {};
  return broken("{} address {:#x}; legal: a multiple of {} bytes", what, t->device, to);
}

}  // namespace

bool packed(const w4_tensor& zp) { return zp.layout == W4_ZP_PACKED; }

int refuse(const w4_device& device, const BrokenClause& why) {
  device.refuse(device.self, why.clause, why.message.c_str());
  return 1;
}

std::optional<BrokenClause> check_arch(const w4_device& device) {
  const std::string_view arch = device.arch == nullptr ? "" : device.arch;
  std::string legal;
  for (const char* const* a = kernel_archs(); *a != nullptr; a++) {
    if (arch == *a) return {};
    legal += fmt::format("{}{}", legal.empty() ? "" : ", ", *a);
  }
  return BrokenClause{"arch",
                      fmt::format("the device is a {}; this build has code for: {}", arch, legal)};
}

std::optional<BrokenClause> first_broken(std::span<const ClauseCheck> checks, const w4_call& call,
                                         const w4_device& device) {
  const auto missing = [](const char* clause, const char* what) {
    return BrokenClause{clause, fmt::format("the {} tensor is missing; legal: a tensor", what)};
  };
  if (call.wei == nullptr) return missing("weight.stride", "weight");
  if (call.act == nullptr) return missing("act.dtype", "activation");
  if (call.scale == nullptr) return missing("scale.dtype", "scale");
  if (call.out == nullptr) return missing("out.contiguous", "output");
  const w4_tensor& act = *call.act;
  const bool leading = act.rank == 3;
  const Wide rows = leading ? Wide{act.dim[0]} * act.dim[1] : Wide{act.dim[0]};
  const View view{call,
                  device,
                  static_cast<int64_t>(std::clamp<Wide>(rows, kInt64Min, kInt64Max)),
                  call.wei->dim[0],
                  leading ? act.dim[2] : act.dim[1],
                  call.group_size};
  for (const ClauseCheck& c : checks) {
    if (auto message = c.broken(view)) return BrokenClause{c.clause, std::move(*message)};
  }
  return {};
}

namespace check {

Broken experts_none(const View& v) {
  const w4_call& c = v.c;
  const bool ids = c.expert_ids != nullptr || c.sorted_ids != nullptr;
  if (!ids && c.top_k == 1 && c.block_m == 1 && c.silu == 0) return {};
  return broken(
      "expert ids are {}, top_k = {}, block_m = {}, silu = {}; legal for a dense layer: missing, "
      "1, "
      "1, 0",
      ids ? "given" : "missing", c.top_k, c.block_m, c.silu);
}

Broken weight_stride(const View& v) {
  const w4_tensor& t = *v.c.wei;
  if (t.dtype != W4_I8 || t.layout != W4_WEI_SHUFFLED || t.rank != 2) {
    return broken("weights are {} of rank {} in {}; legal: i8 [N,K/2] in shuffled order",
                  name_of(t.dtype), t.rank, name_of(t.layout));
  }
  const int64_t row = v.k / 2 + v.k % 2;
  if (t.dim[1] != row || t.stride[1] != 1) {
    return broken("weight shape is [{},{}] with column stride {}; legal: [N,K/2] = [{},{}] with 1",
                  t.dim[0], t.dim[1], t.stride[1], v.n, row);
  }
  const Wide pad = Wide{t.stride[0]} - row;
  if (pad >= 0 && pad % 4 == 0 && t.stride[0] <= kInt32Max) return {};
  return broken(
      "weight row stride is {} bytes; legal: at least K/2 = {}, the excess a multiple of 4, at "
      "most {}",
      t.stride[0], row, kInt32Max);
}

Broken act_dtype(const View& v) {
  const w4_tensor& t = *v.c.act;
  if ((t.dtype == W4_F16 || t.dtype == W4_BF16) && t.rank == 2) return {};
  return broken("activations are {} of rank {}; legal: f16 or bf16 [M,K]", name_of(t.dtype),
                t.rank);
}

Broken act_rank(const View& v) {
  if (v.c.act->rank == 2) return {};
  return broken("activations are {}; legal: [M,K], without a leading dimension",
                shape_of(*v.c.act));
}

Broken scale_dtype(const View& v) {
  if (v.c.scale->dtype == v.c.act->dtype) return {};
  return broken("scale dtype is {}; legal: the activation dtype {}", name_of(v.c.scale->dtype),
                name_of(v.c.act->dtype));
}

Broken group_size(const View& v) {
  if (v.g == 32 || v.g == 64 || v.g == 128) return {};
  return broken("group size is {}; legal: 32, 64, 128", v.g);
}

Broken k_group(const View& v) {
  if (v.k % v.g == 0) return {};
  return broken("K = {} is not divisible by the group size {}; legal: multiples of {}", v.k, v.g,
                v.g);
}

Broken scale_stride(const View& v) {
  const w4_tensor& t = *v.c.scale;
  const int64_t groups = v.k / v.g;
  if (t.rank != 2 || t.layout != W4_DENSE || t.dim[0] != v.n || t.dim[1] != groups) {
    return broken("scale shape is {}; legal: [N,K/G] = [{},{}]", shape_of(t), v.n, groups);
  }
  if (t.stride[1] != 1 || t.stride[0] < groups || t.stride[0] > kInt32Max) {
    return broken(
        "scale strides are {} and {} elements; legal: at least K/G = {} and at most {}, "
        "and 1",
        t.stride[0], t.stride[1], groups, kInt32Max);
  }
  if (v.c.zp != nullptr && v.c.zp->stride[0] != t.stride[0]) {
    return broken("zero-point row stride is {} elements; legal: the row stride of the scales, {}",
                  v.c.zp->stride[0], t.stride[0]);
  }
  return {};
}

Broken zp_encoding(const View& v) {
  if (v.c.zp == nullptr || packed(*v.c.zp)) return {};
  return broken("zero points are {}; legal: none, packed", name_of(v.c.zp->layout));
}

// Encodings are told apart by their tag and must have its dtype: bits are never reinterpreted.
Broken zp_dtype(const View& v) {
  if (v.c.zp == nullptr) return {};
  const w4_tensor& t = *v.c.zp;
  if (t.layout != W4_ZP_PACKED && t.layout != W4_ZP_UNPACKED) {
    return broken("zero points are {}; legal: packed along N, or unpacked", name_of(t.layout));
  }
  if (packed(t)) {
    if (t.dtype != W4_I32 && t.dtype != W4_U32) {
      return broken("zero-point dtype is {}; legal for packed zero points: i32, u32",
                    name_of(t.dtype));
    }
  } else if (t.dtype != v.c.act->dtype) {
    return broken("zero-point dtype is {}; legal for unpacked zero points: the activation dtype {}",
                  name_of(t.dtype), name_of(v.c.act->dtype));
  }
  const int64_t rows = packed(t) ? v.n / 8 + (v.n % 8 != 0) : v.n;
  if (t.rank != 2 || t.dim[0] != rows || t.dim[1] != v.k / v.g || t.stride[1] != 1) {
    return broken("zero-point shape is {} with column stride {}; legal: [{},{}] with 1",
                  shape_of(t), t.stride[1], rows, v.k / v.g);
  }
  return {};
}

Broken zp_octet(const View& v) {
  if (v.c.zp == nullptr || !packed(*v.c.zp) || v.n % 8 == 0) return {};
  return broken("N = {} with packed zero points; legal: multiples of 8", v.n);
}

Broken k_step(const View& v) {
  if (v.k % 16 == 0) return {};
  return broken("K = {}; legal: multiples of 16", v.k);
}

Broken act_contiguous(const View& v) {
  const w4_tensor& t = *v.c.act;
  if (t.stride[0] == v.k && t.stride[1] == 1) return {};
  return broken("activation strides are {} and {} elements; legal: K = {} and 1", t.stride[0],
                t.stride[1], v.k);
}

// A row is copied in pieces of 8 elements.
Broken act_stride(const View& v) {
  const w4_tensor& t = *v.c.act;
  const int64_t stride = t.stride[0];
  if (t.stride[1] == 1 && stride >= v.k && stride % 8 == 0 && stride <= kInt32Max) return {};
  return broken(
      "activation strides are {} and {} elements; legal: a multiple of 8 from K = {} to {}, and 1",
      stride, t.stride[1], v.k, kInt32Max);
}

Broken m_range(const View& v) {
  if (v.m >= 1 && v.m <= kMaxDecodeM) return {};
  return broken("batch size M = {}; legal: 1 to {}", v.m, kMaxDecodeM);
}

Broken m_positive(const View& v) {
  if (v.m >= 1) return {};
  return broken("M = {}; legal: at least 1", v.m);
}

Broken n_positive(const View& v) {
  if (v.n >= 1) return {};
  return broken("N = {}; legal: at least 1", v.n);
}

Broken k_positive(const View& v) {
  if (v.k >= 1) return {};
  return broken("K = {}; legal: at least 1", v.k);
}

Broken bias_shape(const View& v) {
  if (v.c.bias == nullptr) return {};
  const w4_tensor& t = *v.c.bias;
  const bool legal = t.rank == 1 ? t.dim[0] == v.n
                                 : t.rank == 2 && (t.dim[0] == 1 || t.dim[0] == v.m) &&
                                       (t.dim[1] == 1 || t.dim[1] == v.n);
  if (legal) return {};
  return broken("bias shape is {}; legal: [N], [1,N], [M,N], [1,1], [M,1] with M = {}, N = {}",
                shape_of(t), v.m, v.n);
}

Broken bias_dtype(const View& v) {
  if (v.c.bias == nullptr || v.c.bias->dtype == v.c.act->dtype) return {};
  return broken("bias dtype is {}; legal: the activation dtype {}", name_of(v.c.bias->dtype),
                name_of(v.c.act->dtype));
}

Broken bias_contiguous(const View& v) {
  if (v.c.bias == nullptr) return {};
  const w4_tensor& t = *v.c.bias;
  const int64_t inner = t.stride[t.rank - 1];
  if (inner == 1 && (t.rank == 1 || t.stride[0] == t.dim[1])) return {};
  return broken("bias strides are {} and {} elements; legal: its row length {} and 1",
                t.rank == 1 ? t.dim[0] : t.stride[0], inner, t.dim[t.rank - 1]);
}

Broken out_contiguous(const View& v) {
  const w4_tensor& t = *v.c.out;
  if (t.dtype != v.c.act->dtype || t.rank != 2 || t.dim[0] != v.m || t.dim[1] != v.n) {
    return broken("output is {} {}; legal: {} [M,N] = [{},{}]", name_of(t.dtype), shape_of(t),
                  name_of(v.c.act->dtype), v.m, v.n);
  }
  if (t.stride[0] == v.n && t.stride[1] == 1) return {};
  return broken("output strides are {} and {} elements; legal: N = {} and 1", t.stride[0],
                t.stride[1], v.n);
}

Broken cus_positive(const View& v) {
  if (v.c.cu_count >= 1 && v.c.cu_count <= kInt32Max) return {};
  return broken("CuCount = {}; legal: 1 to {}", v.c.cu_count, kInt32Max);
}

// The one use of what the device reports: less than the kernel's own array cannot be launched.
Broken lds_device(const View& v) {
  constexpr int64_t kArrayBytes = 2 * kDecodeLdsElements;
  const int64_t reported = v.device.property(v.device.self, W4_PROP_LDS_PER_BLOCK);
  if (reported >= kArrayBytes) return {};
  return broken("the device reports {} bytes of LDS per block; legal: at least {}", reported,
                kArrayBytes);
}

Broken index_width(const View& v) {
  struct Index {
    const char* what;
    Wide count;
  };
  const w4_tensor* bias = v.c.bias;
  const Wide bias_elements =
      bias == nullptr ? Wide{0} : Wide{bias->dim[0]} * (bias->rank == 2 ? bias->dim[1] : 1);
  const std::array<Index, 6> all{{{"N", v.n},
                                  {"K", v.k},
                                  {"M*N", Wide{v.m} * v.n},
                                  {"M*K", Wide{v.m} * v.k},
                                  {"N*scale row stride", Wide{v.n} * v.c.scale->stride[0]},
                                  {"bias elements", bias_elements}}};
  for (const Index& i : all) {
    if (i.count > kInt32Max) {
      return broken("{} = {} does not fit the kernel's 32-bit index; legal: at most {}", i.what,
                    i.count, kInt32Max);
    }
  }
  return {};
}

// Offsets have 64 bits; rows, columns and workgroups are counted in 32.
Broken index_wide(const View& v) {
  for (const auto& [what, value] : {std::pair("M", v.m), {"N", v.n}, {"K", v.k}}) {
    if (value > kInt32Max) {
      return broken("{} = {}; legal: at most {}", what, value, kInt32Max);
    }
  }
  const Wide tiles = (Wide{v.m} + 15) / 16 * ((Wide{v.n} + 15) / 16);
  if (tiles <= kMaxWorkgroups) return {};
  return broken("M = {} and N = {} are {} tiles of 16 x 16; legal: at most {}", v.m, v.n, tiles,
                kMaxWorkgroups);
}

Broken align_act(const View& v) { return aligned("activation", v.c.act, 16); }
Broken align_weight(const View& v) { return aligned("weight", v.c.wei, 4); }
Broken align_scale(const View& v) { return aligned("scale", v.c.scale, 2); }
Broken align_zp(const View& v) {
  return aligned("zero-point", v.c.zp, v.c.zp != nullptr && packed(*v.c.zp) ? 4 : 2);
}
Broken align_bias(const View& v) { return aligned("bias", v.c.bias, 2); }
Broken align_out(const View& v) { return aligned("output", v.c.out, 2); }

}  // namespace check
}  // namespace w4
