// Ways of breaking one clause of the decode contract and no other, and one of expert layers.
#include "verify/cases/break_clause.h"

#include <array>

#include "core/contract.h"

namespace w4 {
namespace {

// k.step is not here: K % 16 != 0 implies K % G != 0 for every legal G, so it never breaks alone.
// Nor is index.width: its smallest case needs more than kCaseBytes.
constexpr std::array<std::string_view, 32> kBreakable{
    "act.rank",    "experts.none",   "weight.stride",   "act.dtype",      "scale.dtype",
    "group.size",  "k.group",        "scale.stride",    "zp.dtype",       "zp.octet",
    "lds.limit",   "act.contiguous", "m.range",         "n.positive",     "k.positive",
    "bias.shape",  "bias.dtype",     "bias.contiguous", "out.contiguous", "cus.positive",
    "align.act",   "align.weight",   "align.scale",     "align.zp",       "align.out",
    "tile.legal",  "source.octet",   "source.gidx",     "act.order",      "shard.range",
    "shard.group", "shard.octet"};

constexpr std::array<std::string_view, 13> kOfExperts{
    "experts.positive", "topk.range",  "tokens.positive", "blockm.range", "blockm.tile",
    "bias.none",        "ids.dtype",   "silu.guard",      "silu.none",    "tile.moe",
    "tile.auto",        "zp.encoding", "source.experts"};

// Small K, so that the other sizes may grow.
void small_k(Problem& p) { p.k = p.g; }

void with_bias(Problem& p) { p.bias = {2, {Extent{Extent::Of::m, 0}, Extent{Extent::Of::n, 0}}}; }

void break_expert_clause(Problem& p, std::string_view clause, bool first, Chooser& choose) {
  if (clause == "experts.positive") p.experts = first ? 0 : -1;
  if (clause == "topk.range") p.topk = first ? p.experts + 1 : 0;
  if (clause == "tokens.positive") p.m = -choose.pick(2);
  if (clause == "blockm.range") p.blockm = first ? 0 : 6 + choose.pick(60);
  if (clause == "blockm.tile") p.blockm = first ? 1 + choose.pick(15) : 65;
  if (clause == "bias.none") p.bias = {1, {Extent{Extent::Of::n, 0}, {}}};
  if (clause == "ids.dtype") p.idt = first ? DType::i64 : DType::f32;
  if (clause == "silu.guard") {
    p.silu = true, p.tile = {};
    first ? p.blockm = 2 : p.k = kMoeElements / p.g * p.g + p.g;
  }
  if (clause == "silu.none") p.silu = true;
  if (clause == "tile.moe") p.tile = first ? Tile{2, 4, 16, 32} : Tile{3, 1, 16, 16};
  if (clause == "tile.auto") p.tile = Tile{0, 0, 0, 2, true, 16, 32, 32};
  if (clause == "zp.encoding") p.zp = ZpMode::unpacked, p.src = Source::shuffled;
  if (clause == "source.experts") {
    p.n = (p.n + 7) / 8 * 8;
    p.src = first ? Source::awq : Source::gptq2;
  }
}

}  // namespace

std::span<const std::string_view> breakable_clauses() { return kBreakable; }
std::span<const std::string_view> breakable_expert_clauses() { return kOfExperts; }

Case break_clause(Case c, std::string_view clause, Chooser& choose) {
  Problem& p = c.problem;
  // Strides that are given fit the sizes as they were.
  p.lda = p.ldl = p.lead = p.ldy = p.ldb = Auto{};
  const bool first = choose.pick(2) == 0;
  if (clause == "experts.none") {
    if (first) {
      p.experts = 1 + choose.pick(3);
    } else {
      choose.pick(2) == 0 ? p.topk = 2 : p.blockm = 2;
    }
  }
  if (clause == "weight.stride") p.wpad = first ? 2 : -4;
  if (clause == "act.rank") p.lead = first ? 1 : p.m;
  if (clause == "act.dtype") p.act = first ? DType::f32 : DType::i32;
  if (clause == "scale.dtype") {
    p.sdt = first ? DType::f32 : p.act == DType::f16 ? DType::bf16 : DType::f16;
  }
  if (clause == "group.size") {
    constexpr std::array<int64_t, 5> kGroups{16, 48, 256, 0, -32};
    p.g = kGroups[static_cast<size_t>(choose.pick(5))];
    p.k = p.g > 0 ? p.g * (1 + choose.pick(3)) : 64;
  }
  if (clause == "k.group") p.k = p.g + 16;
  if (clause == "scale.stride") p.spad = -1;
  if (clause == "zp.dtype") {
    if (p.zp == ZpMode::none) p.zp = ZpMode::unpacked, p.src = Source::shuffled;
    p.zdt =
        p.zp == ZpMode::packed ? (first ? p.act : DType::i64) : (first ? DType::i32 : DType::f32);
  }
  if (clause == "zp.octet") {
    p.zp = ZpMode::packed, p.src = Source::shuffled;
    p.n = p.n / 8 * 8 + 1 + choose.pick(7);
  }
  if (clause == "lds.limit") p.k = kSoftLdsElements / p.m / p.g * p.g + p.g;
  if (clause == "act.contiguous") p.lda = first ? p.k + 16 : p.k - 16;
  if (clause == "m.range") {
    small_k(p);
    p.m = first ? 6 + choose.pick(60) : -choose.pick(2);
  }
  if (clause == "n.positive") p.n = 0;
  if (clause == "k.positive") p.k = 0;
  if (clause == "bias.shape") {
    p.bias = first ? BiasShape{1, {Extent{Extent::Of::literal, p.n + 1}, {}}}
                   : BiasShape{2, {Extent{Extent::Of::literal, p.m + 1}, Extent{Extent::Of::n, 0}}};
  }
  if (clause == "bias.dtype") with_bias(p), p.bdt = DType::f32;
  if (clause == "bias.contiguous") with_bias(p), p.ldb = p.n + 1;
  if (clause == "out.contiguous") p.ldy = first ? p.n + 8 : p.n - 1;
  if (clause == "cus.positive") p.cus = -choose.pick(2);
  if (clause == "align.act") p.aoff = first ? 8 : 2;
  if (clause == "align.weight") p.woff = 2;
  if (clause == "align.scale") p.soff = 1;
  if (clause == "align.zp") {
    if (p.zp == ZpMode::none) p.zp = ZpMode::unpacked, p.src = Source::shuffled;
    p.zoff = p.zp == ZpMode::packed ? 2 : 1;
  }
  if (clause == "align.out") p.yoff = 1;
  if (clause == "tile.legal") p.tile = first ? Tile{3, 1, 16, 16} : Tile{2, 2, 32, 16};
  if (clause == "source.octet") {
    p.zp = ZpMode::none, p.src = Source::awq;
    p.n = p.n / 8 * 8 + 1 + choose.pick(7);
  }
  if (clause == "source.gidx") p.src = Source::ct, p.gidx = GroupIndex::sequential;
  if (clause == "act.order" || clause == "source.gidx") {
    // Zero points of a checkpoint are packed along N.
    if (p.zp != ZpMode::none) p.n = (p.n + 7) / 8 * 8;
  }
  if (clause == "act.order") {
    p.src = first ? Source::gptq1 : Source::gptq2, p.gidx = GroupIndex::act;
    p.k0 = p.g;  // one group alone has no order
  }
  if (clause == "shard.range") (first ? p.n0 : p.k0) = first ? -8 : -p.g;
  if (clause == "shard.group") p.k0 = 8 * (1 + choose.pick(static_cast<int>(p.g) / 8 - 1));
  if (clause == "shard.octet") {
    p.src = Source::awq, p.n = (p.n + 7) / 8 * 8;
    p.n0 = 1 + choose.pick(7);
  }
  break_expert_clause(p, clause, first, choose);
  return c;
}

}  // namespace w4
