// Another order of waves and workgroups changes nothing.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(Schedule);
TEST_P(Schedule, ChangesNothing) { check({.law = Law::schedule, .floor = 0.9}); }

}  // namespace
}  // namespace w4
