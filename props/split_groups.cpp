// Scales and zero points duplicated and G halved change nothing.
#include "props/law_props.h"

namespace w4 {
namespace {

// G = 32 has no half; and matrix kernels keep their tile where its depth fits half a group.
void leave_room(Case& c, Chooser& choose) {
  show_order(c, choose);
  Problem& p = c.problem;
  if (p.g == 32) {
    p.g = 64;
    p.k = (p.k + 63) / 64 * 64;
    if (p.lda) p.lda = *p.lda + 32;
    if (c.kernel == "decode" && p.k * p.m > 39321) p.k -= 64;
  }
  if (c.kernel != "prefill" || choose.pick(4) == 0) return;
  p.tile = Tile{.w = 4, .gemm = true, .bm = 64, .bn = 64, .bk = 32};
}

W4_LAW_PROPERTY(SplitGroups);
TEST_P(SplitGroups, ChangesNothing) {
  check(
      {.law = Law::split_groups, .bend = leave_room, .floor = 0.5, .floor_of = {{"hybrid", 0.3}}});
}

}  // namespace
}  // namespace w4
