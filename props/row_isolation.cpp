// NaN and Inf in one row of activations change no other row.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(RowIsolation);
TEST_P(RowIsolation, KeepsNaNToItself) { check({.law = Law::row_isolation, .floor = 0.5}); }

}  // namespace
}  // namespace w4
