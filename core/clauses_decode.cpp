#include <algorithm>
#include <array>

#include "core/clauses.h"

namespace w4::clauses {
namespace {

bool is_act(DType t) { return t == DType::f16 || t == DType::bf16; }

Broken act_dtype(const Problem& p, const Reported&) {
  if (is_act(p.act)) return {};
  return broken("activation dtype is {}; legal: f16, bf16", name_of(p.act));
}

Broken weight_stride(const Problem& p, const Reported&) {
  const int64_t pad = resolved_wpad(p);
  const Wide stride = Wide{weight_row_bytes(p)} + pad;
  if (pad >= 0 && pad % 4 == 0 && stride <= kInt32Max) {
    const Wide expert = stride * std::max<int64_t>(p.n, 0);
    if (p.experts <= 1 || expert % 4 == 0) return {};
    return broken("weight expert stride is {} bytes; legal: multiples of 4", expert);
  }
  return broken(
      "weight row stride is {} bytes (K/2 = {} plus a pad of {}); legal: at least K/2, a pad that "
      "is a multiple of 4, at most {}",
      stride, weight_row_bytes(p), pad, kInt32Max);
}

Broken scale_dtype(const Problem& p, const Reported&) {
  if (p.sdt.value_or(p.act) == p.act) return {};
  return broken("scale dtype is {}; legal: the activation dtype {}", name_of(*p.sdt),
                name_of(p.act));
}

Broken group_size(const Problem& p, const Reported&) {
  if (p.g == 32 || p.g == 64 || p.g == 128) return {};
  return broken("group size is {}; legal: 32, 64, 128", p.g);
}

// Where G <= 0 there is nothing to divide by; group.size names that call.
Broken k_group(const Problem& p, const Reported&) {
  if (p.g <= 0 || p.k % p.g == 0) return {};
  return broken("K = {} is not divisible by the group size {}; legal: multiples of {}", p.k, p.g,
                p.g);
}

Broken scale_row_stride(const Problem& p, const Reported&) {
  const int64_t pad = resolved_spad(p);
  const Wide stride = Wide{groups(p)} + pad;
  if (pad >= 0 && stride <= kInt32Max) return {};
  return broken("scale row stride is {} groups; legal: at least K/G = {}, at most {}", stride,
                groups(p), kInt32Max);
}

Broken zp_dtype(const Problem& p, const Reported&) {
  switch (p.zp) {
    case ZpMode::none:
      return {};
    case ZpMode::packed: {
      const DType t = p.zdt.value_or(DType::i32);
      if (t == DType::i32 || t == DType::u32) return {};
      return broken("zero-point dtype is {}; legal for packed zero points: i32, u32", name_of(t));
    }
    case ZpMode::unpacked:
      break;
  }
  const DType t = p.zdt.value_or(p.act);
  if (t == p.act) return {};
  return broken("zero-point dtype is {}; legal for unpacked zero points: the activation dtype {}",
                name_of(t), name_of(p.act));
}

Broken zp_octet(const Problem& p, const Reported&) {
  if (p.zp != ZpMode::packed || p.n % 8 == 0) return {};
  return broken("N = {} with packed zero points; legal: multiples of 8", p.n);
}

// AWQ packs the weights along N; every checkpoint format packs its zero points along N.
Broken source_octet(const Problem& p, const Reported&) {
  const bool along_n = p.src == Source::awq || (p.src != Source::shuffled && p.zp != ZpMode::none);
  if (!along_n || p.n % 8 == 0) return {};
  return broken("N = {} from source {} with zero points {}; legal: multiples of 8", p.n,
                name_of(p.src), name_of(p.zp));
}

Broken k_step(const Problem& p, const Reported&) {
  if (p.k % 16 == 0) return {};
  return broken("K = {}; legal: multiples of 16", p.k);
}

// Also where M <= 1, where the view still reports contiguous and a preload may run past its
// storage (contract.md 16, K8).
Broken act_contiguous(const Problem& p, const Reported&) {
  const int64_t columns = act_columns(p);
  if (p.lda.value_or(columns) == columns) return {};
  return broken("activation row stride is {} elements; legal: K = {}", *p.lda, columns);
}

Broken lds_limit(const Problem& p, const Reported&) {
  const Wide product = Wide{p.k} * p.m;
  if (p.k <= 0 || p.m <= 0 || product <= kSoftLdsElements) return {};
  return broken("K*M = {}*{} = {} exceeds the LDS capacity; legal: at most {}", p.k, p.m, product,
                kSoftLdsElements);
}

Broken m_range(const Problem& p, const Reported&) {
  if (p.m >= 1 && p.m <= kMaxDecodeM) return {};
  return broken("batch size M = {}; legal: 1 to {}", p.m, kMaxDecodeM);
}

Broken n_positive(const Problem& p, const Reported&) {
  if (p.n >= 1) return {};
  return broken("N = {}; legal: at least 1", p.n);
}

Broken k_positive(const Problem& p, const Reported&) {
  if (p.k >= 1) return {};
  return broken("K = {}; legal: at least 1", p.k);
}

Broken bias_shape(const Problem& p, const Reported&) {
  const BiasShape& b = p.bias;
  if (b.rank == 0) return {};
  const auto [rows, cols] = bias_dims(p);
  const int64_t m = std::max<int64_t>(p.m, 0);  // as bias_dims resolves them
  const int64_t n = std::max<int64_t>(p.n, 0);
  const bool legal =
      b.rank == 1 ? cols == n : b.rank == 2 && (rows == 1 || rows == m) && (cols == 1 || cols == n);
  if (legal) return {};
  const std::string shape =
      b.rank == 1 ? fmt::format("[{}]", cols) : fmt::format("[{},{}]", rows, cols);
  return broken("bias shape is {}; legal: [N], [1,N], [M,N], [1,1], [M,1] with M = {}, N = {}",
                shape, p.m, p.n);
}

Broken bias_dtype(const Problem& p, const Reported&) {
  if (p.bias.rank == 0 || p.bdt.value_or(p.act) == p.act) return {};
  return broken("bias dtype is {}; legal: the activation dtype {}", name_of(*p.bdt),
                name_of(p.act));
}

Broken bias_contiguous(const Problem& p, const Reported&) {
  if (p.bias.rank == 0 || !p.ldb) return {};
  const int64_t dense = p.bias.rank == 1 ? 1 : bias_dims(p)[1];
  if (*p.ldb == dense) return {};
  return broken("bias stride is {} elements; legal: {}", *p.ldb, dense);
}

Broken out_contiguous(const Problem& p, const Reported&) {
  if (p.ldy.value_or(p.n) == p.n) return {};
  return broken("output row stride is {} elements; legal: N = {}", *p.ldy, p.n);
}

Broken cus_positive(const Problem&, const Reported& r) {
  if (r.cus >= 1 && r.cus <= kInt32Max) return {};
  return broken("CuCount = {}; legal: 1 to {}", r.cus, kInt32Max);
}

// The one use of what the device reports: an array larger than a block may have cannot be launched.
Broken lds_device(const Problem&, const Reported& r) {
  if (r.lds >= 2 * kLdsElements) return {};
  return broken("the device reports {} bytes of LDS per block; legal: at least {}", r.lds,
                2 * kLdsElements);
}

// Weight bytes are addressed with 64 bits; every other index of the kernel is an int32.
Broken index_width(const Problem& p, const Reported&) {
  struct Index {
    std::string_view what;
    Wide count;
  };
  const auto [rows, cols] = bias_dims(p);
  const std::array<Index, 6> all{{{"N", p.n},
                                  {"K", p.k},
                                  {"M*N", Wide{p.m} * p.n},
                                  {"M*K", Wide{p.m} * p.k},
                                  {"N*scale row stride", Wide{p.n} * scale_stride(p)},
                                  {"bias elements", Wide{rows} * cols}}};
  for (const Index& i : all) {
    if (i.count > kInt32Max) {
      return broken("{} = {} does not fit the kernel's 32-bit index; legal: at most {}", i.what,
                    i.count, kInt32Max);
    }
  }
  return {};
}

// What is empty has no address.
Broken align_act(const Problem& p, const Reported&) {
  if (p.m == 0) return {};
  return require_multiple("activation offset", p.aoff, 16);
}
Broken align_weight(const Problem& p, const Reported&) {
  return require_multiple("weight offset", p.woff, 4);
}
Broken align_scale(const Problem& p, const Reported&) {
  return require_multiple("scale offset", p.soff, 2);
}
Broken align_zp(const Problem& p, const Reported&) {
  if (p.zp == ZpMode::none) return {};
  return require_multiple("zero-point offset", p.zoff, p.zp == ZpMode::packed ? 4 : 2);
}
Broken align_bias(const Problem& p, const Reported&) {
  const auto [rows, cols] = bias_dims(p);
  if (rows == 0 || cols == 0) return {};
  return require_multiple("bias offset", p.boff, 2);
}
Broken align_out(const Problem& p, const Reported&) {
  if (p.m == 0) return {};
  return require_multiple("output offset", p.yoff, 2);
}

// What the kernel's tile table can choose for this M, plus the tiles of K*M past the LDS array;
// kernels/decode_args.h has the instantiations, a test holds the two together.
Broken tile_legal(const Problem& p, const Reported&) {
  if (!p.tile) return {};
  const Tile& t = *p.tile;
  const bool exists = (t.y == 1 && t.u == 4 && p.m <= 1) || (t.y == 2 && t.u == 2 && p.m >= 2) ||
                      (t.y == 2 && t.u == 4 && p.m != 2) || (t.y == 4 && (t.u == 1 || t.u == 2));
  if (exists && t.a == 16 && t.w == 16) return {};
  return broken("tile is {} at M = {}; legal: {}, y4u1, y4u2 with a16 and w16", to_string(t), p.m,
                p.m <= 1   ? "y1u4, y2u4"
                : p.m == 2 ? "y2u2"
                           : "y2u2, y2u4");
}

// In the order of the public op's checks (contract.md 6.2), ours after them.
constexpr std::array kClauses{
    Clause{"weight.stride",
           "A weight row of K/2 bytes plus its pad fits int32 and keeps words aligned", "F1 F2",
           weight_stride},
    Clause{"act.dtype", "Activations are fp16 or bf16", "V1 V2 V3", act_dtype},
    Clause{"scale.dtype", "Scales have the activation dtype", "V1 V2 V3", scale_dtype},
    Clause{"group.size", "G is 32, 64 or 128", "V1 V2 V3", group_size},
    Clause{"k.group", "K is divisible by G", "V1 V2 V3", k_group},
    Clause{"scale.stride", "The row stride of the scales is at least K/G and fits int32", "V3",
           scale_row_stride},
    Clause{"zp.dtype", "Packed zero points are int32 or uint32, unpacked have the activation dtype",
           "V1 V2 V3", zp_dtype},
    Clause{"zp.octet", "N is divisible by 8 where zero points are packed", "V2 V3", zp_octet},
    Clause{"k.step", "K is divisible by 16", "V1 V2 V3", k_step},
    Clause{"lds.limit", "K*M is at most trunc(32768*1.2) = 39321", "V1 V2", lds_limit},
    Clause{"act.contiguous", "The activation row stride is K", "V3", act_contiguous},
    Clause{"m.range", "M is 1 to 5", "V1 V2 V3", m_range},
    Clause{"n.positive", "N is at least 1", "w4check", n_positive},
    Clause{"k.positive", "K is at least 1", "w4check", k_positive},
    Clause{"bias.shape", "The bias is [N], [1,N], [M,N], [1,1] or [M,1]", "w4check", bias_shape},
    Clause{"bias.dtype", "The bias has the activation dtype", "w4check", bias_dtype},
    Clause{"bias.contiguous", "The bias is contiguous", "w4check", bias_contiguous},
    Clause{"out.contiguous", "The output row stride is N", "w4check", out_contiguous},
    Clause{"cus.positive", "CuCount is at least 1 and fits int32", "w4check", cus_positive},
    Clause{"lds.device", "The device reports at least the 64 KiB of the kernel's LDS array",
           "w4check", lds_device},
    Clause{"index.width", "Every 32-bit index of the kernel holds its largest value", "w4check",
           index_width},
    Clause{"align.act", "act starts at a multiple of 16 bytes", "w4check", align_act},
    Clause{"align.weight", "wei starts at a multiple of 4 bytes", "w4check", align_weight},
    Clause{"align.scale", "scale starts at a multiple of 2 bytes", "w4check", align_scale},
    Clause{"align.zp", "zp starts at a multiple of 4 bytes, 2 where unpacked", "w4check", align_zp},
    Clause{"align.bias", "bias starts at a multiple of 2 bytes", "w4check", align_bias},
    Clause{"align.out", "out starts at a multiple of 2 bytes", "w4check", align_out},
    Clause{"tile.legal", "A forced tile is one that exists", "w4check", tile_legal},
    Clause{"source.octet", "N is divisible by 8 where the source packs along N", "w4check",
           source_octet},
};

}  // namespace

std::span<const Clause> decode() { return kClauses; }

}  // namespace w4::clauses
