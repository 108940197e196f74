// Row m of a call of M rows is the call of that row alone.
#include <algorithm>

#include "props/law_props.h"

namespace w4 {
namespace {

// Where tables would choose different tiles for M rows and for one, one that both have.
void share_a_tile(Case& c, Chooser& choose) {
  show_order(c, choose);
  Problem& p = c.problem;
  if (c.kernel != "decode" && c.kernel != "chunked") return;
  if (p.m == 1) p.m = 2 + choose.pick(4);
  p.k = std::min(p.k, 32768 / p.m / p.g * p.g);
  if (p.lda && *p.lda < p.k) p.lda.reset();
  if (choose.pick(4) == 0) return;
  p.tile = p.m == 2 ? Tile{4, 1, 16, 16} : Tile{2, 4, 16, 16};
}

W4_LAW_PROPERTY(RowAlone);
TEST_P(RowAlone, IsTheRowOfMany) {
  check({.law = Law::row_alone, .bend = share_a_tile, .floor = 0.3, .floor_of = {{"hybrid", 0.1}}});
}

}  // namespace
}  // namespace w4
