// K extended by zero activations changes nothing.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(ExtendK);
TEST_P(ExtendK, ByZeroActivations) { check({.law = Law::extend_k, .floor = 0.3}); }

}  // namespace
}  // namespace w4
