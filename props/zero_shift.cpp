// Codes and zero points of a group, both plus d, change nothing.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(ZeroShift);
TEST_P(ZeroShift, OnlyTheDifferenceCounts) { check({.law = Law::zero_shift, .floor = 0.2}); }

}  // namespace
}  // namespace w4
