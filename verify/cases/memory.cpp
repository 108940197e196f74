#include "verify/cases/memory.h"

#include <algorithm>
#include <array>

#include "verify/cases/shapes.h"

namespace w4 {

void choose_format(Chooser& choose, Problem& p, int encodings) {
  choose.about(Part::format);
  constexpr std::array<ZpMode, 3> kZp{ZpMode::none, ZpMode::packed, ZpMode::unpacked};
  constexpr std::array<Source, 5> kSources{Source::shuffled, Source::ct, Source::awq, Source::gptq2,
                                           Source::gptq1};
  p.act = choose.pick(2) == 0 ? DType::f16 : DType::bf16;
  p.zp = kZp[static_cast<size_t>(choose.pick(encodings))];
  p.src = mostly_first(choose, kSources);
  if (p.zp == ZpMode::packed && one_in(choose, 8)) p.zdt = DType::u32;
}

void choose_bias(Chooser& choose, Problem& p) {
  choose.about(Part::bias);
  const Extent m{Extent::Of::m, 0}, n{Extent::Of::n, 0}, one{Extent::Of::literal, 1};
  const std::array<BiasShape, 6> shapes{
      {{}, {1, {n, {}}}, {2, {one, n}}, {2, {m, n}}, {2, {one, one}}, {2, {m, one}}}};
  p.bias = one_of(choose, shapes);
}

void choose_checkpoint(Chooser& choose, Problem& p) {
  choose.about(Part::source);
  if (p.src == Source::gptq1 || p.src == Source::gptq2) {
    if (one_in(choose, 3)) p.gidx = GroupIndex::sequential;
  }
  if (p.zp == ZpMode::none && p.src != Source::shuffled) p.qzeros = one_in(choose, 4);
  if (one_in(choose, 6)) {
    p.n0 = wants_octets(p) ? 8 * pick64(choose, 4) : pick64(choose, 20);
    p.k0 = p.g * pick64(choose, 4);
  }
  // With one group there is nothing to reorder.
  if (p.gidx != GroupIndex::none && p.k == p.g && p.n0 == 0 && p.k0 == 0 && choose.pick(2) == 1) {
    p.gidx = GroupIndex::act;
  }
}

void choose_memory(Chooser& choose, Problem& p) {
  choose.about(Part::memory);
  constexpr std::array<Padding, 3> kRules{Padding::f1, Padding::f2, Padding::v3};
  constexpr std::array<int64_t, 4> kWeightPad{0, 4, 16, 128};
  constexpr std::array<int64_t, 3> kScalePad{0, 1, 5};
  switch (choose.pick(4)) {
    case 1:
      p.wpad = one_of(choose, kWeightPad);
      p.spad = one_of(choose, kScalePad);
      break;
    case 2:
      p.pad = one_of(choose, kRules);
      break;
    default:
      break;
  }
  if (choose.pick(3) == 1) {
    p.aoff = 16 * pick64(choose, 16);
    p.woff = 4 * pick64(choose, 64);
    p.soff = 2 * pick64(choose, 8);
    if (p.zp != ZpMode::none) p.zoff = (p.zp == ZpMode::packed ? 4 : 2) * pick64(choose, 8);
    if (p.bias.rank > 0) p.boff = 2 * pick64(choose, 8);
    p.yoff = 2 * pick64(choose, 8);
  }
  if (one_in(choose, 8)) {
    p.ldy = p.n;
    if (p.bias.rank > 0) p.ldb = p.bias.rank == 1 ? 1 : bias_dims(p)[1];
  }
}

void choose_act_stride(Chooser& choose, Problem& p) {
  choose.about(Part::stride);
  if (choose.pick(3) == 1) p.lda = p.k + 8 * (1 + pick64(choose, 5));
  // Of four rows the last is past 2^32 at the largest distance, of five at the other.
  if (p.m < 4 || p.m > 7 || !one_in(choose, 12)) return;
  p.lda = p.m > 4 && choose.pick(2) == 0 ? kFarApart : kFarthestApart;
}

void choose_leading(Chooser& choose, Problem& p) {
  choose.about(Part::stride);
  // A slab of rows that lie far apart is more than memory has.
  if (!one_in(choose, 3) || (p.lda && *p.lda >= kFarApart)) return;
  int64_t lead = 1 + pick64(choose, p.m);
  while (p.m % lead != 0) --lead;
  p.lead = lead;
  const int64_t rows = lead_rows(p);
  if (choose.pick(2) == 0) return;
  // One row each may lie as far apart as rows may; several collapse at one distance only.
  p.ldl = rows == 1 && lead > 1 ? std::min(resolved_lda(p) + 8 * pick64(choose, 4), kFarthestApart)
                                : resolved_ldl(p);
}

}  // namespace w4
