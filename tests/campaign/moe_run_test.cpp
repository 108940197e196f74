// The suite of expert layers, run: green, and no class below its floor.
#include <gtest/gtest.h>

#include "campaign/suites/moe.h"
#include "verify/cases/floors.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

TEST(MoeSuite, IsGreenAndReachesItsFloors) {
  Context context;
  Coverage coverage;
  for (Case c : moe_cases(2)) {
    const Verdict v = run_case(c, context);
    EXPECT_TRUE(v.green()) << to_string(v);
    coverage.add(c, v);
  }
  for (const std::string& floor : coverage.below(moe_floors())) ADD_FAILURE() << floor;
  if (HasFailure()) std::cout << coverage.text();
}

}  // namespace
}  // namespace w4
