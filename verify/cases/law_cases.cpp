#include "verify/cases/law_cases.h"

#include <algorithm>
#include <vector>

#include "verify/cases/memory.h"
#include "verify/cases/signal.h"

namespace w4 {
namespace {

// Half of the time the fill whose sums tell one order of additions from another after the store.
void show_order(Case& c, Chooser& choose) {
  if (choose.pick(2) == 0) c.fill = Fill::cancel;
}

// Gives a case of symmetric weights packed zero points.
void store_zero_points(Case& c) {
  Problem& p = c.problem;
  if (p.zp != ZpMode::none) return;
  p.zp = ZpMode::packed;
  p.qzeros = false;
  p.n = (p.n + 7) / 8 * 8;
  p.n0 = p.n0 / 8 * 8;
  if (p.ldy && *p.ldy < p.n) p.ldy.reset();
  if (p.bias.rank == 2) p.ldb.reset();
  if (p.tile && !p.tile->gemm) p.tile.reset();  // some tiles are of symmetric weights alone
}

// Where tables would choose different tiles for M rows and for one, one that both have.
void share_a_tile(Case& c, Chooser& choose) {
  show_order(c, choose);
  Problem& p = c.problem;
  if (c.kernel != "decode" && c.kernel != "chunked") return;
  p.tile.reset();
  if (p.m == 1) p.m = 2 + choose.pick(4);
  p.k = std::min(p.k, 32768 / p.m / p.g * p.g);
  if (c.fill == Fill::cancel) {
    // Another order inside a chunk changes one output in a hundred: many of them.
    p.n = std::max<int64_t>(p.n, 256);
    p.k = std::min(p.k, 2048 / p.g * p.g);
    p.ldy.reset(), p.ldb.reset();
  }
  if (p.lda && *p.lda < p.k) p.lda.reset();
  if (choose.pick(4) == 0) return;
  p.tile = p.m == 2 ? Tile{4, 1, 16, 16} : Tile{2, 4, 16, 16};
}

// G = 32 has no half; and matrix kernels keep their tile where its depth fits half a group.
void leave_room(Case& c, Chooser& choose) {
  show_order(c, choose);
  Problem& p = c.problem;
  if (p.g == 32) {
    p.g = 64;
    p.k = (p.k + 63) / 64 * 64;
    p.k0 = p.k0 / 64 * 64;
    if (p.lda) p.lda = std::min(*p.lda + 32, kFarthestApart);
    p.ldl.reset();  // of the rows as they were
    if (c.kernel == "decode" && p.k * p.m > 39321) p.k -= 64;
  }
  if (c.kernel != "prefill" || choose.pick(4) == 0) return;
  p.tile = Tile{.w = 4, .gemm = true, .bm = 64, .bn = 64, .bk = 32};
}

// GPTQ checkpoints carry their zero points anyway, and some kernels take none but those that count.
void make_symmetric(Case& c, Chooser& choose) {
  Problem& p = c.problem;
  if (p.src == Source::gptq1 || p.src == Source::gptq2) p.src = Source::ct;
  p.gidx = GroupIndex::none;
  if (c.kernel == "prefill_carrier" || choose.pick(4) == 0) return;
  p.zp = ZpMode::none;
  p.zoff = 0;
  p.zdt.reset();
}

void bend(Law law, Case& c, Chooser& choose) {
  switch (law) {
    case Law::row_alone:
      return share_a_tile(c, choose);
    case Law::split_groups:
      return leave_room(c, choose);
    case Law::unused_zeros:
      return make_symmetric(c, choose);
    case Law::zero_form:
    case Law::zero_shift:
      return store_zero_points(c);
    case Law::bias_adds:
      c.fill = Fill::integer;
      return;
    case Law::addresses:
    case Law::cu_count:
    case Law::extend_k:
    case Law::permute_n:
    case Law::repeat:
    case Law::schedule:
      return show_order(c, choose);
    default:
      return;
  }
}

}  // namespace

void bend_for(Law law, Case& c, Chooser& choose) {
  const Case before = c;
  bend(law, c, choose);
  if (c != before) ensure_signal(c);
}

bool law_fits(Law law, std::string_view row) {
  const bool experts = row.starts_with("moe");
  switch (law) {
    case Law::reference:
      return false;
    case Law::experts_dense:
      return experts;
    case Law::routes:
    case Law::no_bias:
    case Law::bias_adds:
      return !experts;
    case Law::zero_form:
      return row == "decode" || row == "hybrid" || row == "prefill" || row == "prefill_dense";
    case Law::implicit_8:
    case Law::unused_zeros:
      return row != "prefill_carrier";
    default:
      return true;
  }
}

Case choose_law_case(Chooser& choose, const CaseLimits& limits, std::string_view row) {
  std::vector<Law> laws;
  for (const Law l : all_laws()) {
    if (law_fits(l, row)) laws.push_back(l);
  }
  choose.about(Part::law);
  const Law law = laws[static_cast<size_t>(choose.pick(static_cast<int>(laws.size())))];
  Case c = choose_case(choose, limits, row);
  choose.about(Part::bend);
  bend_for(law, c, choose);
  c.law = law;
  return c;
}

}  // namespace w4
