// The output with a bias is that without, plus the bias, where everything is exact.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(BiasAdds);
TEST_P(BiasAdds, WhereSumsAreExact) {
  check({.law = Law::bias_adds, .floor = 0.8, .floor_of = {{"moe", 0}, {"moe_prefill", 0}}});
}

}  // namespace
}  // namespace w4
