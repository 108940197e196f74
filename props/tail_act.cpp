// Another activation near the end of K changes every output whose interval moves away.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(TailAct);
TEST_P(TailAct, ChangesTheOutput) {
  check({.law = Law::tail_act, .floor = 0.5, .floor_of = {{"moe", 0.25}, {"moe_prefill", 0.25}}});
}

}  // namespace
}  // namespace w4
