// Scales and zero points duplicated and G halved change nothing.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(SplitGroups);
TEST_P(SplitGroups, ChangesNothing) {
  check({.law = Law::split_groups, .floor = 0.5, .floor_of = {{"hybrid", 0.3}}});
}

}  // namespace
}  // namespace w4
