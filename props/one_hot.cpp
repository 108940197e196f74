// One-hot activations give the declared weights after the one store.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(OneHot);
TEST_P(OneHot, GivesTheWeights) { check({.law = Law::one_hot, .floor = 0.7}); }

}  // namespace
}  // namespace w4
