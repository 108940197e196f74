// The sum of shards of K agrees with the whole within the sum of the intervals.
#include "props/law_props.h"

namespace w4 {
namespace {

W4_LAW_PROPERTY(KShards);
TEST_P(KShards, SumToTheWhole) { check({.law = Law::k_shards, .floor = 0.3}); }

}  // namespace
}  // namespace w4
