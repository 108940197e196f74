// A layer of experts agrees with a dense call of each within the sum of both intervals.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(ExpertsDense);
TEST_P(ExpertsDense, AgreeWithinBounds) {
  check({.law = Law::experts_dense, .floor = 0, .floor_of = {{"moe", 0.5}, {"moe_prefill", 0.5}}});
}

}  // namespace
}  // namespace w4
