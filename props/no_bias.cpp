// No bias is a bias of zeros.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(NoBias);
TEST_P(NoBias, IsABiasOfZeros) {
  check({.law = Law::no_bias, .floor = 0.9, .floor_of = {{"moe", 0}, {"moe_prefill", 0}}});
}

}  // namespace
}  // namespace w4
