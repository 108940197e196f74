// Packed zero points are unpacked ones.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(ZeroForm);
TEST_P(ZeroForm, ChangesNothing) {
  check({.law = Law::zero_form,
         .floor = 0.4,
         .floor_of = {{"hybrid", 0.25},
                      {"chunked", 0},
                      {"prefill_carrier", 0},
                      {"moe", 0},
                      {"moe_prefill", 0}}});
}

}  // namespace
}  // namespace w4
