// Row m of a call of M rows is the call of that row alone.
#include <algorithm>

#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(RowAlone);
TEST_P(RowAlone, IsTheRowOfMany) {
  check({.law = Law::row_alone, .floor = 0.3, .floor_of = {{"hybrid", 0.1}}});
}

}  // namespace
}  // namespace w4
