// Zero points that a symmetric checkpoint carries change nothing.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(UnusedZeros);
TEST_P(UnusedZeros, ChangeNothing) {
  check({.law = Law::unused_zeros, .floor = 0.5, .floor_of = {{"prefill_carrier", 0}}});
}

}  // namespace
}  // namespace w4
