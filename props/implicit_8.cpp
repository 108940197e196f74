// No zero points are stored zero points of 8.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(Implicit8);
TEST_P(Implicit8, IsStored8) {
  check({.law = Law::implicit_8, .floor = 0.5, .floor_of = {{"prefill_carrier", 0}}});
}

}  // namespace
}  // namespace w4
