// Zero points that a symmetric checkpoint carries change nothing.
#include "props/law_props.h"

namespace w4 {
namespace {

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

W4_LAW_PROPERTY(UnusedZeros);
TEST_P(UnusedZeros, ChangeNothing) {
  check({.law = Law::unused_zeros,
         .bend = make_symmetric,
         .floor = 0.5,
         .floor_of = {{"prefill_carrier", 0}}});
}

}  // namespace
}  // namespace w4
