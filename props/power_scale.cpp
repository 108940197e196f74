// Scales times a power of two scale the output by it, bit for bit where nothing is subnormal.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(PowerScale);
TEST_P(PowerScale, ScalesTheOutput) { check({.law = Law::power_scale, .floor = 0.4}); }

}  // namespace
}  // namespace w4
