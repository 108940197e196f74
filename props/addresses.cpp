// Other addresses of every tensor change nothing.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(Addresses);
TEST_P(Addresses, ChangeNothing) { check({.law = Law::addresses, .floor = 0.9}); }

}  // namespace
}  // namespace w4
