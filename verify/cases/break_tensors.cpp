#include <array>

#include "core/contract.h"
#include "verify/cases/breaks.h"

namespace w4 {
namespace {

constexpr Extent kM{Extent::Of::m, 0}, kN{Extent::Of::n, 0};

constexpr Extent literal(int64_t v) { return {Extent::Of::literal, v}; }

void with_bias(Problem& p) {
  if (p.bias.rank == 0) p.bias = {2, {kM, kN}};
}

void without_shard(Problem& p) { p.n0 = p.k0 = 0; }

// Where there are none, unpacked ones, which ask nothing of N.
void with_zero_points(Problem& p) {
  if (p.zp != ZpMode::none) return;
  p.zp = ZpMode::unpacked, p.src = Source::shuffled, p.gidx = GroupIndex::none, p.qzeros = false;
}

int64_t octets(int64_t n) { return (n + 7) / 8 * 8; }

constexpr std::array kBreaks{
    Break{"act.rank", 2, [](Problem& p, int way, Chooser&) { p.lead = way == 0 ? 1 : p.m; }},
    Break{"act.leading", 2,
          [](Problem& p, int way, Chooser& choose) {
            p.m = 4, p.lead = 2;
            p.tile = {};
            p.ldl = 2 * p.k + (way == 0 ? 8 : -8) * (1 + pick64(choose, 3));
          }},
    Break{"out.leading", 2,
          [](Problem& p, int way, Chooser&) {
            p.tile = {};
            p.m = way == 0 ? 3 : 5;
            p.lead = way == 0 ? 2 : 3;
          }},
    Break{"act.dtype", 2,
          [](Problem& p, int way, Chooser&) { p.act = way == 0 ? DType::f32 : DType::i32; }},
    Break{"scale.dtype", 2,
          [](Problem& p, int way, Chooser&) {
            p.sdt = way == 0 ? DType::f32 : p.act == DType::f16 ? DType::bf16 : DType::f16;
          }},
    Break{"zp.dtype", 2,
          [](Problem& p, int way, Chooser&) {
            with_zero_points(p);
            p.zdt = p.zp == ZpMode::packed ? (way == 0 ? p.act : DType::i64)
                                           : (way == 0 ? DType::i32 : DType::f32);
          }},
    Break{"zp.encoding", 1,
          [](Problem& p, int, Chooser&) {
            p.zp = ZpMode::unpacked, p.src = Source::shuffled, p.zdt = {};
            p.gidx = GroupIndex::none, p.qzeros = false;
          }},
    Break{"zp.packed", 2,
          [](Problem& p, int way, Chooser&) {
            p.zp = way == 0 ? ZpMode::none : ZpMode::unpacked, p.zdt = {};
          }},
    Break{"zp.octet", 1,
          [](Problem& p, int, Chooser& choose) {
            p.zp = ZpMode::packed, p.src = Source::shuffled, p.gidx = GroupIndex::none;
            p.zdt = {}, p.qzeros = false, p.n0 = p.n0 / 8 * 8, p.zoff = p.zoff / 4 * 4;
            p.n = p.n / 8 * 8 + 1 + pick64(choose, 7);
          }},
    Break{"bias.shape", 3,
          [](Problem& p, int way, Chooser&) {
            p.bias = way == 0   ? BiasShape{1, {literal(p.n + 1), {}}}
                     : way == 1 ? BiasShape{2, {literal(p.m + 1), kN}}
                                : BiasShape{1, {literal(p.n == 1 ? 2 : 1), {}}};
          }},
    Break{"bias.dtype", 2,
          [](Problem& p, int way, Chooser&) {
            with_bias(p);
            p.bdt = way == 0 ? DType::f32 : p.act == DType::f16 ? DType::bf16 : DType::f16;
          }},
    Break{"bias.contiguous", 2,
          [](Problem& p, int way, Chooser&) {
            with_bias(p);
            p.ldb = (p.bias.rank == 1 ? 1 : bias_dims(p)[1]) + (way == 0 ? 1 : 8);
          }},
    Break{"weight.stride", 3,
          [](Problem& p, int way, Chooser&) { p.wpad = way == 0   ? 2
                                                       : way == 1 ? -4
                                                                  : 1; }},
    Break{"scale.stride", 2,
          [](Problem& p, int way, Chooser&) { p.spad = way == 0 ? -1 : -groups(p); }},
    Break{"carrier.stride", 2,
          [](Problem& p, int way, Chooser&) { p.cpad = way == 0 ? -1 : -groups(p); }},
    Break{"act.contiguous", 2,
          [](Problem& p, int way, Chooser&) { p.lda = act_columns(p) + (way == 0 ? 16 : -16); }},
    Break{"act.stride", 3,
          [](Problem& p, int way, Chooser&) {
            p.lda = p.k + (way == 0 ? 4 : way == 1 ? 1 : -8);
          }},
    Break{"out.contiguous", 2,
          [](Problem& p, int way, Chooser&) { p.ldy = way == 0 ? p.n + 8 : p.n - 1; }},
    Break{"align.act", 2, [](Problem& p, int way, Chooser&) { p.aoff = way == 0 ? 8 : 2; }},
    Break{"align.weight", 2, [](Problem& p, int way, Chooser&) { p.woff = way == 0 ? 2 : 1; }},
    Break{"align.scale", 2, [](Problem& p, int way, Chooser&) { p.soff = way == 0 ? 1 : 7; }},
    Break{"align.zp", 2,
          [](Problem& p, int way, Chooser&) {
            with_zero_points(p);
            p.zoff = p.zp == ZpMode::packed && way == 0 ? 2 : 1;
          }},
    Break{"align.bias", 2,
          [](Problem& p, int way, Chooser&) { with_bias(p), p.boff = way == 0 ? 1 : 3; }},
    Break{"align.out", 2, [](Problem& p, int way, Chooser&) { p.yoff = way == 0 ? 1 : 3; }},
    Break{"align.carrier", 2, [](Problem& p, int way, Chooser&) { p.coff = way == 0 ? 2 : 1; }},
    Break{"source.octet", 2,
          [](Problem& p, int way, Chooser& choose) {
            without_shard(p);
            p.zp = ZpMode::none, p.src = Source::awq, p.gidx = GroupIndex::none, p.zdt = {};
            if (way == 1) p.zp = ZpMode::unpacked, p.src = Source::ct, p.qzeros = false;
            p.n = p.n / 8 * 8 + 1 + pick64(choose, 7);
          }},
    Break{"source.gidx", 2,
          [](Problem& p, int way, Chooser&) {
            p.src = way == 0 ? Source::ct : Source::shuffled, p.gidx = GroupIndex::sequential;
            if (p.zp != ZpMode::none) p.n = octets(p.n), p.n0 = octets(p.n0);
          }},
    Break{"act.order", 2,
          [](Problem& p, int way, Chooser&) {
            p.src = way == 0 ? Source::gptq1 : Source::gptq2, p.gidx = GroupIndex::act;
            if (p.zp != ZpMode::none) p.n = octets(p.n), p.n0 = octets(p.n0);
            p.k0 = p.g;  // one group alone has no order
          }},
    Break{"shard.range", 2,
          [](Problem& p, int way, Chooser&) { (way == 0 ? p.n0 : p.k0) = way == 0 ? -8 : -p.g; }},
    Break{"shard.group", 1,
          [](Problem& p, int, Chooser& choose) {
            if (p.gidx == GroupIndex::act) p.gidx = GroupIndex::sequential;
            p.k0 = 8 * (1 + pick64(choose, p.g / 8 - 1));
          }},
    Break{"shard.octet", 2,
          [](Problem& p, int way, Chooser& choose) {
            if (way == 0 || p.zp != ZpMode::packed) p.src = Source::awq, p.gidx = GroupIndex::none;
            p.n = octets(p.n);
            p.n0 = 1 + pick64(choose, 7);
          }},
};

}  // namespace

std::span<const Break> breaks_of_tensors() { return kBreaks; }

}  // namespace w4
