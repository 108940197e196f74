// Launches that end for a reason which is no finding.
#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

class Launches : public testing::TestWithParam<std::string> {
 protected:
  struct Args {
    Address in = 0, wei = 0, scale = 0, out = 0, work = 0;
    int m = 0, n = 0, k = 0, g = 1;
  };
  Rig rig_{GetParam()};
  LaunchReport run(const char* kernel, const LaunchConfig& c, int m) {
    Args a;
    a.out = rig_.output("out", 128);
    a.m = m;
    return rig_.emulator().launch(rig_.object(), kernel, c, std::as_bytes(std::span(&a, 1)));
  }
};

TEST_P(Launches, StepLimit) {
  LaunchConfig c = config(1, 32);
  c.step_limit = 10'000;
  const LaunchReport r = run("spin_clean", c, -1);
  EXPECT_EQ(r.end, LaunchReport::End::step_limit) << what(r);
  EXPECT_EQ(r.wave_instructions, 10'000u);
  EXPECT_NE(r.where.pc, 0u);
  EXPECT_THAT(r.where.source, testing::HasSubstr("limit.hip:"));
}

TEST_P(Launches, NoSuchKernel) {
  const LaunchReport r = run("no_such_kernel", config(1, 32), 1);
  EXPECT_EQ(r.end, LaunchReport::End::refused);
  EXPECT_THAT(r.why, testing::HasSubstr("no_such_kernel"));
}

INSTANTIATE_TEST_SUITE_P(Limits, Launches, testing::ValuesIn(paths(W4_LIMIT)), test_name);

}  // namespace
}  // namespace w4::rdna
