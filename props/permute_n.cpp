// Permuted rows of weights, scales, zero points and bias permute the columns of the output.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(PermuteN);
TEST_P(PermuteN, PermutesTheColumns) { check({.law = Law::permute_n, .floor = 0.8}); }

}  // namespace
}  // namespace w4
