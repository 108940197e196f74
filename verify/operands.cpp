#include "verify/operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "core/contract.h"
#include "verify/materialise.h"

namespace w4 {
namespace {

using Wide = __int128;

int64_t size(int64_t v) { return std::max<int64_t>(v, 0); }

int64_t extent_bytes(int64_t rows, int64_t row_bytes, int64_t stride_bytes, bool last_pad) {
  if (rows == 0) return 0;
  return (rows - 1) * stride_bytes + (last_pad ? std::max(row_bytes, stride_bytes) : row_bytes);
}

Operand matrix(std::string name, DType t, w4_layout layout, int64_t rows, int64_t cols,
               int64_t stride, int64_t offset, bool gaps) {
  const int64_t element = bytes_of(t);
  Operand o;
  o.name = std::move(name);
  o.offset = offset;
  o.rows = rows;
  o.row_bytes = cols * element;
  o.stride_bytes = rows == 0 ? 0 : stride * element;  // no rows: any stride, however large
  o.pads_are_gaps = gaps;
  const int64_t bytes = extent_bytes(rows, o.row_bytes, o.stride_bytes, !gaps);
  o.desc = {.dtype = to_module(t),
            .layout = layout,
            .rank = 2,
            .dim = {rows, cols},
            .stride = {stride, 1},
            .bytes = static_cast<uint64_t>(bytes),
            .device = 0,
            .host = nullptr};
  return o;
}

Operand plan_bias(const Problem& p) {
  const auto [by, bx] = bias_dims(p);
  const DType t = p.bdt.value_or(p.act);
  Operand o = matrix("bias", t, W4_DENSE, by, bx, bias_stride(p), p.boff, true);
  if (p.bias.rank == 2) return o;
  // A vector is a column of one-element rows where it is strided.
  const int64_t stride = bias_stride(p);
  if (stride == 1) {
    o.stride_bytes = o.row_bytes;
  } else {
    o.rows = bx;
    o.row_bytes = bytes_of(t);
  }
  o.desc.rank = 1;
  o.desc.dim[0] = bx, o.desc.dim[1] = 1;
  o.desc.stride[0] = stride, o.desc.stride[1] = 1;
  o.desc.bytes = static_cast<uint64_t>(extent_bytes(o.rows, o.row_bytes, o.stride_bytes, false));
  return o;
}

// The operand gets rows of 16-bit elements one after the other: its pads may be gigabytes, which
// cost nothing on a device whose memory is sparse.
void use_rows(Operand& o, const std::vector<uint16_t>& values, std::vector<std::byte>& storage) {
  storage.resize(static_cast<size_t>(o.rows * o.row_bytes));
  if (!storage.empty()) std::memcpy(storage.data(), values.data(), storage.size());
  o.content = storage.data();
  o.content_stride = o.row_bytes;
}

std::string describe(const w4_tensor& t) {
  const auto rank = static_cast<size_t>(std::clamp(t.rank, 0, 3));
  return fmt::format("dtype {} layout {} [{}] stride [{}]", static_cast<int>(t.dtype),
                     static_cast<int>(t.layout), fmt::join(std::span(t.dim, rank), ","),
                     fmt::join(std::span(t.stride, rank), ","));
}

Result<void> take(Operand& o, const w4_tensor& made) {
  const w4_tensor& asked = o.desc;
  const bool same =
      made.dtype == asked.dtype && made.layout == asked.layout && made.rank == asked.rank &&
      std::equal(made.dim, made.dim + made.rank, asked.dim) &&
      std::equal(made.stride, made.stride + made.rank, asked.stride) && made.host != nullptr;
  if (!same) {
    return fail("the module prepared {} as {}; asked for {}", o.name, describe(made),
                describe(asked));
  }
  if (made.bytes < asked.bytes) {
    return fail("the module prepared {} in {} bytes; its shape and stride need {}", o.name,
                made.bytes, asked.bytes);
  }
  o.content = static_cast<const std::byte*>(made.host);
  return {};
}

Result<void> upload(const Operand& o, Device& device) {
  const bool apart = o.rows > 1 && (o.content_stride ? o.stride_bytes != o.row_bytes
                                                     : o.stride_bytes > o.row_bytes);
  const int64_t whole = o.rows <= 1 ? o.rows * o.row_bytes : static_cast<int64_t>(o.desc.bytes);
  const auto bytes = static_cast<size_t>(apart ? o.row_bytes : whole);
  const std::vector<std::byte> zeros(o.content ? 0 : bytes);
  const int64_t stride = o.content ? o.content_stride.value_or(o.stride_bytes) : 0;
  const std::byte* from = o.content ? o.content : zeros.data();
  if (!apart) return device.write(o.desc.device, {from, bytes});
  for (int64_t r = 0; r < o.rows; ++r) {
    const auto at = o.desc.device + static_cast<uint64_t>(r * o.stride_bytes);
    if (const auto done = device.write(at, {from + r * stride, bytes}); !done) return done;
  }
  return {};
}

Result<void> place_one(Operand& o, Device& device, Placement where, bool output) {
  if (o.desc.bytes == 0) return {};  // an empty tensor has no address
  const bool padded = o.stride_bytes > o.row_bytes;
  const auto base = device.allocate({.name = o.name,
                                     .bytes = o.desc.bytes,
                                     .offset = static_cast<uint64_t>((o.offset % 256 + 256) % 256),
                                     .writable = output,
                                     .initialised = !output && !padded,
                                     .output = output,
                                     .placement = where,
                                     .alignment = o.alignment});
  if (!base) return std::unexpected(base.error());
  o.desc.device = *base;
  if (padded && o.pads_are_gaps) {
    for (int64_t r = 0; r + 1 < o.rows; ++r) {
      const auto from = static_cast<uint64_t>(r * o.stride_bytes + o.row_bytes);
      const auto done =
          device.mark_gap(*base + from, static_cast<uint64_t>(o.stride_bytes - o.row_bytes));
      if (!done) return done;
    }
  }
  return output ? Result<void>{} : upload(o, device);
}

struct RowCounts {
  int64_t act, out, blocks;
};

// Without data (a call that breaks a clause) the blocks are as if all slots had one expert.
RowCounts rows_of(const Problem& p, const Arrays* x) {
  if (x) {
    return {x->moe->act_rows, x->m, static_cast<int64_t>(x->moe->expert_ids.size())};
  }
  const int64_t all = slots(p), block = std::max<int64_t>(p.blockm, 1);
  return {p.silu || p.rows == Rows::contiguous ? all : size(p.m), all,
          all / block + (all % block != 0)};
}

// [E*rows,cols] as [E,rows,cols].
void split_experts(Operand& o, int64_t experts) {
  w4_tensor& t = o.desc;
  o.per_expert = experts == 0 ? 0 : o.rows / experts;
  t.rank = 3;
  t.dim[2] = t.dim[1], t.dim[1] = o.per_expert, t.dim[0] = experts;
  t.stride[2] = 1, t.stride[1] = t.stride[0], t.stride[0] = o.per_expert * t.stride[1];
}

Operand plan_ids(std::string name, DType t, w4_layout layout, int64_t count,
                 const std::vector<int32_t>* ids, std::vector<std::byte>& storage) {
  Operand o = matrix(std::move(name), t, layout, 1, count, count, 0, true);
  o.desc.rank = 1;
  o.desc.dim[0] = count, o.desc.dim[1] = 0;
  o.desc.stride[0] = 1, o.desc.stride[1] = 0;
  storage.resize(static_cast<size_t>(o.desc.bytes));
  if (ids && bytes_of(t) == 4) std::memcpy(storage.data(), ids->data(), storage.size());
  o.content = storage.data();
  return o;
}

void plan_experts(const Problem& p, const RowCounts& rows, const Arrays* x, Operands& ops) {
  const int64_t experts = size(p.experts);
  for (Operand* o : {&ops.wei, &ops.scale}) split_experts(*o, experts);
  for (auto* o : {&ops.zp, &ops.carrier}) {
    if (*o) split_experts(**o, experts);
  }
  ops.expert_ids = plan_ids("expert_ids", p.idt.value_or(DType::i32), W4_EXPERT_IDS, rows.blocks,
                            x ? &x->moe->expert_ids : nullptr, ops.storage_experts);
  if (p.rows == Rows::contiguous) return;
  const Wide count = Wide{rows.blocks} * size(p.blockm);
  ops.sorted_ids = plan_ids("sorted_ids", DType::i32, W4_SORTED_IDS,
                            static_cast<int64_t>(std::min<Wide>(count, kCaseBytes)),
                            x ? &x->moe->sorted_ids : nullptr, ops.storage_sorted);
}

// [M,C] as [L,M/L,C].
void split_leading(const Problem& p, w4_tensor& t, int64_t stride, int64_t outer) {
  t.rank = 3;
  t.dim[2] = t.dim[1], t.dim[1] = lead_rows(p), t.dim[0] = *p.lead;
  t.stride[2] = 1, t.stride[1] = stride, t.stride[0] = outer;
}

// act [L,T,K] and out [L,T,N]. Rows that are not equally far apart are one block of memory, and an
// L that does not divide M leaves the output as it is: calls with either are refused.
void plan_leading(const Problem& p, Operands& ops) {
  const int64_t rows = size(lead_rows(p)), lda = resolved_lda(p), ldy = resolved_ldy(p);
  split_leading(p, ops.act.desc, lda, resolved_ldl(p));
  if (!lead_collapses(p)) {
    const Wide last =
        Wide{resolved_ldl(p)} * (size(*p.lead) - 1) + Wide{lda} * (rows - 1) + ops.act.desc.dim[2];
    Operand& o = ops.act;
    o.rows = 1;
    o.row_bytes = static_cast<int64_t>(std::clamp<Wide>(last * bytes_of(p.act), 0, kCaseBytes));
    o.stride_bytes = o.row_bytes;
    o.desc.bytes = static_cast<uint64_t>(o.row_bytes);
  }
  if (!lead_divides(p)) return;
  split_leading(p, ops.out.desc, ldy,
                static_cast<int64_t>(std::min<Wide>(Wide{rows} * ldy, kCaseBytes)));
}

// What the kernel's clauses ask of addresses, where it has them.
void align(const w4_kernel& kernel, Operands& ops) {
  const auto declares = [&](std::string_view clause) {
    for (const char* const* name = kernel.clauses; name != nullptr && *name != nullptr; ++name) {
      if (routed_name(*name).clause == clause) return true;
    }
    return false;
  };
  const auto set = [&](Operand* o, std::string_view clause, uint64_t bytes) {
    if (o != nullptr && declares(clause)) o->alignment = bytes;
  };
  const auto get = [](std::optional<Operand>& o) { return o ? &*o : nullptr; };
  set(&ops.act, "align.act", 16);
  set(&ops.wei, "align.weight", 4);
  set(&ops.scale, "align.scale", 2);
  set(get(ops.zp), "align.zp", ops.zp && ops.zp->desc.layout == W4_ZP_PACKED ? 4 : 2);
  set(get(ops.bias), "align.bias", 2);
  set(get(ops.carrier), "align.carrier", 4);
  set(&ops.out, "align.out", 2);
}

}  // namespace

w4_call Operands::call(const Problem& p, const Reported& reported, const std::string& tile) const {
  return {.act = &act.desc,
          .wei = &wei.desc,
          .scale = &scale.desc,
          .zp = zp ? &zp->desc : nullptr,
          .bias = bias ? &bias->desc : nullptr,
          .out = &out.desc,
          .group_size = p.g,
          .cu_count = reported.cus,
          .tile = tile.empty() ? nullptr : tile.c_str(),
          .carrier = carrier ? &carrier->desc : nullptr,
          .expert_ids = expert_ids ? &expert_ids->desc : nullptr,
          .sorted_ids = sorted_ids ? &sorted_ids->desc : nullptr,
          .top_k = p.topk,
          .block_m = p.blockm,
          .silu = p.silu};
}

Operands plan_operands(const Problem& p, const w4_kernel& kernel, const Arrays* x) {
  const bool moe = p.experts != 0;
  const RowCounts rows = moe ? rows_of(p, x) : RowCounts{size(p.m), size(p.m), 0};
  const int64_t n = weight_rows(p), k = size(p.k), g = groups(p);
  const int64_t gstride = scale_stride(p);
  Operands ops;
  ops.act = matrix("act", p.act, W4_DENSE, rows.act, size(act_columns(p)),
                   p.lead ? collapsed_lda(p) : resolved_lda(p), p.aoff, true);
  if (kernel.dense_weights) {
    ops.wei = matrix("wei", p.act, W4_DENSE, n, k, dense_stride(p), p.woff, false);
  } else {
    ops.wei = matrix("wei", DType::i8, W4_WEI_SHUFFLED, n, weight_row_bytes(p),
                     weight_stride_bytes(p), p.woff, false);
  }
  if (kernel.reads_carrier) {
    ops.carrier =
        matrix("carrier", DType::f32, W4_SCALE_CARRIER, n, g, carrier_stride(p), p.coff, false);
  }
  ops.scale = matrix("scale", p.sdt.value_or(p.act), W4_DENSE, n, g, gstride, p.soff, false);
  if (p.zp == ZpMode::packed) {
    ops.zp = matrix("zp", p.zdt.value_or(DType::i32), W4_ZP_PACKED,
                    moe ? size(p.experts) * ((size(p.n) + 7) / 8) : (n + 7) / 8, g, gstride, p.zoff,
                    false);
  } else if (p.zp == ZpMode::unpacked) {
    ops.zp = matrix("zp", p.zdt.value_or(p.act), W4_ZP_UNPACKED, n, g, gstride, p.zoff, false);
  }
  if (p.bias.rank > 0) ops.bias = plan_bias(p);
  ops.out = matrix("out", p.act, W4_DENSE, rows.out, size(p.n), resolved_ldy(p), p.yoff, true);
  align(kernel, ops);
  if (moe) plan_experts(p, rows, x, ops);
  if (moe && p.lead) {
    split_leading(p, ops.act.desc, resolved_lda(p), resolved_ldl(p));
  } else if (p.lead) {
    plan_leading(p, ops);
  } else if (!moe && p.m < 0) {  // no memory, and the kernel sees it
    ops.act.desc.dim[0] = ops.out.desc.dim[0] = p.m;
  }
  if (!x) return ops;
  use_rows(ops.act, x->moe ? x->moe->act : x->a, ops.storage_act);
  if (ops.bias && bytes_of(p.bdt.value_or(p.act)) == 2) {
    use_rows(*ops.bias, x->bias, ops.storage_bias);
  }
  return ops;
}

Result<void> use_prepared(Operands& ops, const w4_prepared& prepared) {
  if (auto done = take(ops.wei, prepared.wei); !done) return done;
  if (auto done = take(ops.scale, prepared.scale); !done) return done;
  if (ops.carrier) {
    if (auto done = take(*ops.carrier, prepared.carrier); !done) return done;
  }
  if (!ops.zp) {
    return prepared.zp.host ? fail("the module prepared zero points for symmetric weights")
                            : Result<void>{};
  }
  w4_tensor made = prepared.zp;
  // u32 words are the same words (contract.md 5).
  if (made.dtype == W4_I32 && ops.zp->desc.dtype == W4_U32) made.dtype = W4_U32;
  return take(*ops.zp, made);
}

Result<void> place(Operands& ops, Device& device, Placement where) {
  for (Operand* o : {&ops.act, &ops.wei, &ops.scale}) {
    if (auto done = place_one(*o, device, where, false); !done) return done;
  }
  for (auto* o : {&ops.zp, &ops.bias, &ops.carrier, &ops.expert_ids, &ops.sorted_ids}) {
    if (!*o) continue;
    if (auto done = place_one(**o, device, where, false); !done) return done;
  }
  return place_one(ops.out, device, where, true);
}

uint16_t poison_bits(w4_dtype act) { return act == W4_BF16 ? 0x7FA1 : 0x7D01; }

Result<void> poison_output(const Operands& ops, Device& device) {
  if (ops.out.desc.bytes == 0) return {};
  const uint16_t bits = poison_bits(ops.out.desc.dtype);
  std::array<std::byte, 2> pattern;
  std::memcpy(pattern.data(), &bits, 2);
  return device.poison(ops.out.desc.device, pattern);
}

Result<void> blank_output(const Operands& ops, Device& device) {
  if (ops.out.desc.bytes == 0) return {};
  return device.poison(ops.out.desc.device, std::array<std::byte, 2>{});
}

Result<void> dirty_output(const Operands& ops, Device& device) {
  if (auto done = poison_output(ops, device); !done) return done;
  const Operand& o = ops.out;
  const uint16_t one = o.desc.dtype == W4_BF16 ? 0x3F80 : 0x3C00;
  const std::vector<uint16_t> row(static_cast<size_t>(o.row_bytes / 2), one);
  for (int64_t r = 0; r < o.rows; ++r) {
    const auto at = o.desc.device + static_cast<uint64_t>(r * o.stride_bytes);
    if (auto done = device.write(at, std::as_bytes(std::span(row))); !done) return done;
  }
  return {};
}

uint64_t total_bytes(const Operands& ops) {
  uint64_t all =
      ops.act.desc.bytes + ops.wei.desc.bytes + ops.scale.desc.bytes + ops.out.desc.bytes;
  for (const auto* o : {&ops.zp, &ops.bias, &ops.carrier, &ops.expert_ids, &ops.sorted_ids}) {
    if (*o) all += (*o)->desc.bytes;
  }
  return all;
}

}  // namespace w4
