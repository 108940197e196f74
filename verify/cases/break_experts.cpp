#include <array>

#include "core/contract.h"
#include "verify/cases/breaks.h"

namespace w4 {
namespace {

constexpr std::array kBreaks{
    Break{"experts.none", 4,
          [](Problem& p, int way, Chooser& choose) {
            if (way == 0) p.experts = 1 + pick64(choose, 3), p.n0 = p.k0 = 0;
            if (way == 1) p.topk = 2;
            if (way == 2) p.blockm = 2;
            if (way == 3) p.silu = true;
          }},
    Break{"experts.positive", 2,
          [](Problem& p, int way, Chooser&) { p.experts = -way, p.topk = 1, p.silu = false; }},
    Break{"topk.range", 3,
          [](Problem& p, int way, Chooser&) {
            p.topk = way == 0 ? p.experts + 1 : way == 1 ? 0 : -1;
          }},
    Break{"tokens.positive", 2, [](Problem& p, int way, Chooser&) { p.m = -way; }},
    Break{"blockm.range", 3,
          [](Problem& p, int way, Chooser& choose) {
            p.silu = false, p.tile = {};
            p.blockm = way == 0 ? 0 : way == 1 ? -1 : 6 + pick64(choose, 60);
          }},
    Break{"blockm.tile", 3,
          [](Problem& p, int way, Chooser& choose) {
            p.blockm = way == 0 ? 1 + pick64(choose, 15) : way == 1 ? 65 : 48;
          }},
    Break{"bias.none", 2,
          [](Problem& p, int way, Chooser&) {
            const Extent n{Extent::Of::n, 0}, one{Extent::Of::literal, 1};
            p.bias = way == 0 ? BiasShape{1, {n, {}}} : BiasShape{2, {one, one}};
          }},
    Break{"ids.dtype", 2,
          [](Problem& p, int way, Chooser&) { p.idt = way == 0 ? DType::i64 : DType::f32; }},
    Break{"silu.guard", 2,
          [](Problem& p, int way, Chooser&) {
            p.silu = true, p.tile = {};
            p.blockm = way == 0 ? 2 : 1;
            if (way == 1) p.k = kMoeElements / p.g * p.g + p.g;
          }},
    Break{"silu.none", 1, [](Problem& p, int, Chooser&) { p.silu = true; }},
    Break{"tile.moe", 3,
          [](Problem& p, int way, Chooser&) {
            p.tile = way == 0   ? Tile{2, 4, 16, 32}
                     : way == 1 ? Tile{3, 1, 16, 16}
                                : Tile{0, 0, 0, 1, true, 16, 16, 32};
          }},
    Break{"tile.auto", 2,
          [](Problem& p, int way, Chooser&) {
            p.tile = way == 0 ? Tile{0, 0, 0, 2, true, 16, 32, 32} : Tile{4, 1, 16, 16};
          }},
    Break{"source.experts", 4,
          [](Problem& p, int way, Chooser&) {
            p.n = (p.n + 7) / 8 * 8;
            if (way == 0) p.src = Source::awq;
            if (way == 1) p.src = Source::gptq2;
            if (way == 2) p.n0 = 8;
            if (way == 3) p.k0 = p.g;
          }},
};

}  // namespace

std::span<const Break> breaks_of_experts() { return kBreaks; }

}  // namespace w4
