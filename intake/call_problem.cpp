#include "intake/call_problem.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/contract.h"
#include "kernels/descriptors.h"

namespace w4 {
namespace {

// The two enumerations list the same types in the same order; what is outside them breaks every
// clause about types.
DType type_of(w4_dtype t) { return t <= W4_I64 ? static_cast<DType>(t) : DType::i64; }

int64_t offset(const w4_tensor& t) { return static_cast<int64_t>(t.device % 256); }

Extent literal(int64_t v) { return {Extent::Of::literal, v}; }

}  // namespace

Problem problem_of(const w4_call& c) {
  Problem p;
  p.experts = c.wei->rank > 2 ? c.wei->dim[0] : 0;
  p.m = c.act->dim[0];
  p.n = c.wei->dim[0];
  p.k = c.act->dim[1];
  p.g = c.group_size;
  p.act = type_of(c.act->dtype);
  p.lda = c.act->stride[0];
  p.aoff = offset(*c.act);
  p.wpad = c.wei->layout == W4_DENSE ? (c.wei->stride[0] - p.k) * 2
                                     : c.wei->stride[0] - weight_row_bytes(p);
  p.woff = offset(*c.wei);
  p.sdt = type_of(c.scale->dtype);
  p.spad = c.scale->stride[0] - groups(p);
  p.soff = offset(*c.scale);
  if (c.zp != nullptr) {
    p.zp = c.zp->layout == W4_ZP_PACKED ? ZpMode::packed : ZpMode::unpacked;
    p.zdt = type_of(c.zp->dtype);
    p.zoff = offset(*c.zp);
    // Scale and zero-point rows share a pad; where they do not, neither is legal.
    if (c.zp->stride[0] != c.scale->stride[0]) p.spad = c.zp->stride[0] - groups(p);
  }
  if (c.bias != nullptr) {
    p.bias = {c.bias->rank, {literal(c.bias->dim[0]), literal(c.bias->dim[1])}};
    p.bdt = type_of(c.bias->dtype);
    p.ldb = c.bias->stride[0];
    p.boff = offset(*c.bias);
  }
  p.ldy = c.out->stride[0];
  p.yoff = offset(*c.out);
  if (c.tile != nullptr) p.tile = parse_tile(c.tile).value_or(Tile{});
  p.cus = c.cu_count;
  p.topk = c.top_k;
  p.blockm = c.block_m;
  p.silu = c.silu != 0;
  return p;
}

std::optional<std::string> broken_clause(std::span<const std::string> clauses, const Problem& p,
                                         const Reported& r) {
  // Tensors of experts have a dimension more, which every other clause would take for what it is
  // not.
  constexpr std::string_view kDense = "experts.none";
  if (p.experts > 0 && std::ranges::find(clauses, kDense) != clauses.end()) {
    return std::string(kDense);
  }
  auto all = broken_clauses(clauses, p, r);
  return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

}  // namespace w4
