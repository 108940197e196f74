// Decode and prefill agree within the sum of both intervals.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(Routes);
TEST_P(Routes, AgreeWithinBounds) {
  check({.law = Law::routes, .floor = 0.5, .floor_of = {{"moe", 0}, {"moe_prefill", 0}}});
}

}  // namespace
}  // namespace w4
