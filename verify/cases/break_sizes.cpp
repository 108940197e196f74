#include <algorithm>
#include <array>

#include "core/contract.h"
#include "verify/cases/breaks.h"

namespace w4 {
namespace {

constexpr Tile gemm(int bm, int bn, int bk, int w) { return {0, 0, 0, w, true, bm, bn, bk}; }

constexpr std::array kBreaks{
    Break{"group.size", 7,
          [](Problem& p, int way, Chooser& choose) {
            // Halves, whole loads and doubles of what is legal: 96 for who counts loads of 32.
            constexpr std::array<int64_t, 7> kGroups{96, 256, 48, 512, 16, 0, -32};
            p.g = kGroups[static_cast<size_t>(way)];
            p.k = p.g > 0 ? p.g * (1 + pick64(choose, 3)) : 64;
            p.k0 = 0;
            if (p.tile && p.tile->bk > p.g) p.tile = {};
          }},
    Break{"k.group", 3,
          [](Problem& p, int way, Chooser&) {
            // The last: half a group more, whole loads of 32 where the group has several.
            p.k = way == 0 ? p.g + 16 : way == 1 ? 3 * p.g - 16 : p.g + p.g / 2;
          }},
    Break{"k.step", 1, [](Problem& p, int, Chooser&) { p.k = p.g + 8; }},
    Break{"lds.limit", 2,
          [](Problem& p, int way, Chooser&) {
            p.k = kSoftLdsElements / p.m / p.g * p.g + p.g * (way == 0 ? 1 : 2);
            p.n = std::min<int64_t>(p.n, 8);
          }},
    Break{"m.range", 3,
          [](Problem& p, int way, Chooser& choose) {
            p.k = p.g;
            p.tile = {};
            p.m = way == 0 ? 6 + pick64(choose, 60) : way == 1 ? 0 : -1 - pick64(choose, 3);
          }},
    Break{"m.natural", 2,
          [](Problem& p, int way, Chooser& choose) {
            p.tile = {};
            (way == 0 ? p.m : p.lead.emplace()) = -1 - pick64(choose, 3);
            if (way == 1) p.m = 0;
          }},
    Break{"m.positive", 2, [](Problem& p, int way, Chooser&) { p.m = -way; }},
    Break{"n.positive", 2, [](Problem& p, int way, Chooser&) { p.n = -8 * way; }},
    Break{"k.positive", 2, [](Problem& p, int way, Chooser&) { p.k = -p.g * way; }},
    Break{"cus.positive", 3,
          [](Problem& p, int way, Chooser&) {
            p.cus = way == 0 ? 0 : way == 1 ? -1 : int64_t{1} << 31;
          }},
    Break{"lds.device", 3,
          [](Problem& p, int way, Chooser&) {
            p.lds = way == 0 ? 2 * kLdsElements - 1 : way == 1 ? 0 : kPrefillLds;
          }},
    Break{"lds.prefill", 2,
          [](Problem& p, int way, Chooser&) { p.lds = way == 0 ? kPrefillLds - 1 : 0; }},
    Break{"tile.legal", 3,
          [](Problem& p, int way, Chooser&) {
            p.tile = way == 0   ? Tile{3, 1, 16, 16}
                     : way == 1 ? Tile{2, 2, 32, 16}
                                : Tile{4, 1, 16, 8};
          }},
    Break{"tile.chunked", 3,
          [](Problem& p, int way, Chooser&) {
            p.tile = way == 0   ? Tile{3, 1, 16, 16}
                     : way == 1 ? Tile{4, 2, 16, 8}
                                : gemm(16, 16, 32, 1);
          }},
    Break{"tile.prefill", 4,
          [](Problem& p, int way, Chooser&) {
            p.tile = way == 0   ? gemm(48, 16, 32, 1)
                     : way == 1 ? gemm(16, 16, 32, 4)
                     : way == 2 ? gemm(64, 64, 16, 4)
                                : Tile{4, 1, 16, 16};
            if (way == 0) p.tile->bn = 48;
          }},
    Break{"tile.depth", 2,
          [](Problem& p, int way, Chooser&) {
            p.tile = way == 0 ? gemm(16, 16, 64, 1) : gemm(32, 32, 128, 4);
            p.g = 128;
            p.k = 256;
            p.k0 = 0;
          }},
};

}  // namespace

std::span<const Break> breaks_of_sizes() { return kBreaks; }

}  // namespace w4
