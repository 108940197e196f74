#include <algorithm>
#include <array>

#include "core/clauses.h"

namespace w4::clauses {
namespace {

// What kernels that came with a manifest may leave out or ask for beyond the decode contract.
Broken m_positive(const Problem& p, const Reported&) {
  if (p.m >= 1) return {};
  return broken("M = {}; legal: at least 1", p.m);
}

Broken act_f16(const Problem& p, const Reported&) {
  if (p.act == DType::f16) return {};
  return broken("activation dtype is {}; legal: f16", name_of(p.act));
}

Broken group_positive(const Problem& p, const Reported&) {
  if (p.g >= 1) return {};
  return broken("group size is {}; legal: at least 1", p.g);
}

Broken group_step32(const Problem& p, const Reported&) {
  if (p.g >= 1 && p.g % 32 == 0) return {};
  return broken("group size is {}; legal: positive multiples of 32", p.g);
}

Broken k_step32(const Problem& p, const Reported&) {
  if (p.k % 32 == 0) return {};
  return broken("K = {}; legal: multiples of 32", p.k);
}

Broken zp_is(const Problem& p, ZpMode legal) {
  if (p.zp == legal) return {};
  return broken("zero points are {}; legal: {}", name_of(p.zp), name_of(legal));
}
Broken zp_none(const Problem& p, const Reported&) { return zp_is(p, ZpMode::none); }
Broken zp_packed(const Problem& p, const Reported&) { return zp_is(p, ZpMode::packed); }
Broken zp_unpacked(const Problem& p, const Reported&) { return zp_is(p, ZpMode::unpacked); }

Broken bias_none(const Problem& p, const Reported&) {
  if (p.bias.rank == 0) return {};
  return broken("there is a bias of rank {}; legal: none", p.bias.rank);
}

Broken zp_numbers(const Problem& p, const Reported&) {
  if (p.zp != ZpMode::packed) return {};
  return broken("zero points are packed; legal: none, unpacked");
}
Broken zp_int32(const Problem& p, const Reported&) {
  if (p.zp != ZpMode::packed || p.zdt.value_or(DType::i32) == DType::i32) return {};
  return broken("packed zero points are {}; legal: i32", name_of(*p.zdt));
}
Broken zp_present(const Problem& p, const Reported&) {
  if (p.zp != ZpMode::none) return {};
  return broken("zero points are none; legal: packed, unpacked");
}

// [1,1] and [M,1] are one value for all columns; N = 1 has no others.
Broken bias_vector(const Problem& p, const Reported&) {
  const auto [rows, cols] = bias_dims(p);
  if (p.bias.rank == 0 || (rows == 1 && cols == p.n)) return {};
  return broken("bias shape is [{},{}]; legal: [N], [1,N] with N = {}", rows, cols, p.n);
}
Broken bias_present(const Problem& p, const Reported&) {
  if (p.bias.rank != 0) return {};
  return broken("the bias is none; legal: a bias");
}

Broken rows_apart(std::string_view what, int64_t stride, int64_t length) {
  if (stride >= length && stride <= kInt32Max) return {};
  return broken("{} row stride is {} elements; legal: at least {}, at most {}", what, stride,
                length, kInt32Max);
}
Broken act_apart(const Problem& p, const Reported&) {
  return rows_apart("activation", resolved_lda(p), act_columns(p));
}
Broken out_apart(const Problem& p, const Reported&) {
  return rows_apart("output", resolved_ldy(p), p.n);
}
Broken bias_apart(const Problem& p, const Reported&) {
  if (p.bias.rank == 0) return {};
  return rows_apart("bias", bias_stride(p), p.bias.rank == 1 ? 1 : bias_dims(p)[1]);
}

Broken k_octet(const Problem& p, const Reported&) {
  if (p.k % 8 == 0) return {};
  return broken("K = {}; legal: multiples of 8", p.k);
}
Broken n_octet(const Problem& p, const Reported&) {
  if (p.n % 8 == 0) return {};
  return broken("N = {}; legal: multiples of 8", p.n);
}

Broken weight_contiguous(const Problem& p, const Reported&) {
  if (resolved_wpad(p) == 0) return {};
  return broken("weight row pad is {} bytes; legal: 0", resolved_wpad(p));
}

Broken scale_contiguous(const Problem& p, const Reported&) {
  if (resolved_spad(p) == 0) return {};
  return broken("pad of scale and zero-point rows is {} groups; legal: 0", resolved_spad(p));
}

Broken tile_auto(const Problem& p, const Reported&) {
  if (!p.tile) return {};
  return broken("tile is {}; legal: auto", to_string(*p.tile));
}

constexpr std::array kClauses{
    Clause{"m.positive", "M is at least 1", kManifest, m_positive},
    Clause{"act.f16", "Activations are fp16", kManifest, act_f16},
    Clause{"group.positive", "G is at least 1", kManifest, group_positive},
    Clause{"group.step32", "G is a multiple of 32", kManifest, group_step32},
    Clause{"k.step32", "K is divisible by 32", kManifest, k_step32},
    Clause{"zp.none", "There are no zero points", kManifest, zp_none},
    Clause{"zp.packed", "Zero points are packed", kManifest, zp_packed},
    Clause{"zp.unpacked", "Zero points are unpacked", kManifest, zp_unpacked},
    Clause{"bias.none", "There is no bias", kManifest, bias_none},
    Clause{"weight.contiguous", "Weight rows have no pad", kManifest, weight_contiguous},
    Clause{"scale.contiguous", "Scale and zero-point rows have no pad", kManifest,
           scale_contiguous},
    Clause{"zp.numbers", "Zero points are unpacked where there are any", kManifest, zp_numbers},
    Clause{"zp.int32", "Packed zero points are int32, not uint32", kManifest, zp_int32},
    Clause{"zp.present", "There are zero points", kManifest, zp_present},
    Clause{"bias.vector", "The bias is [N] or [1,N]", kManifest, bias_vector},
    Clause{"bias.present", "There is a bias", kManifest, bias_present},
    Clause{"act.apart", "The activation row stride is at least K and fits int32", kManifest,
           act_apart},
    Clause{"out.apart", "The output row stride is at least N and fits int32", kManifest, out_apart},
    Clause{"bias.apart", "Rows or elements of the bias do not overlap", kManifest, bias_apart},
    Clause{"k.octet", "K is divisible by 8", kManifest, k_octet},
    Clause{"n.octet", "N is divisible by 8", kManifest, n_octet},
    Clause{"tile.auto", "No tile is forced", kManifest, tile_auto},
};

}  // namespace

std::span<const Clause> manifest() { return kClauses; }

}  // namespace w4::clauses
