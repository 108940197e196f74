// Another number of compute units changes nothing.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(CuCount);
TEST_P(CuCount, ChangesNothing) { check({.law = Law::cu_count, .floor = 0.9}); }

}  // namespace
}  // namespace w4
