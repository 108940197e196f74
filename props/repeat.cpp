// A second launch into dirtied memory writes the same bits.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(Repeat);
TEST_P(Repeat, WritesTheSameBits) { check({.law = Law::repeat, .floor = 0.9}); }

}  // namespace
}  // namespace w4
