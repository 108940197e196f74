// The same calls on several devices, as a user asks for it.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "campaign/process.h"
#include "campaign/vote/poll.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::w4check;

nlohmann::json vote(const std::string& devices, int64_t cases, int code) {
  const Finished f = w4check({"vote", "--devices", devices, "--cases", std::to_string(cases),
                              "--largest", "300000", "--jobs", "2", "--json", "-"});
  EXPECT_EQ(f.code, code) << f.err;
  return nlohmann::json::parse(f.out, nullptr, false);
}

int64_t of(const nlohmann::json& pair, const char* agreement) {
  return pair["cases"][agreement].get<int64_t>();
}

TEST(Vote, EmulatedDevicesAndTheHostAgree) {
  const nlohmann::json v = vote("gfx1151,gfx1201,host", 300, 0);
  ASSERT_EQ(v["pairs"].size(), 3u) << v;
  EXPECT_TRUE(v["complaints"].empty()) << v["complaints"];
  const auto& archs = v["pairs"][0];
  const auto& host = v["pairs"][1];
  // The two families' dot products round otherwise.
  EXPECT_GT(of(archs, "model"), 0);
  EXPECT_GT(of(archs, "equal"), 0);
  // The same kernels on the same arithmetic, but executed otherwise.
  EXPECT_EQ(of(host, "equal"), 300) << host;
  EXPECT_EQ(v["compared"], 900);
}

TEST(Vote, AGpuThatTheEmulatorStandsForAgreesBitForBit) {
  setenv("W4_HIP_LIBRARY", W4_HIP_STAND_IN, 1);
  const nlohmann::json v = vote("gfx1151,hip", 60, 0);
  unsetenv("W4_HIP_LIBRARY");
  ASSERT_EQ(v["pairs"].size(), 1u) << v;
  EXPECT_EQ(of(v["pairs"][0], "equal"), 60) << v;
}

TEST(Vote, GoesOnWithoutADeviceThatIsNotThere) {
  setenv("W4_CUDA_LIBRARY", "/nowhere/libcuda.so.1", 1);
  const nlohmann::json v = vote("gfx1151,cuda,host", 12, 0);
  const nlohmann::json alone = vote("cuda,gfx1151", 3, 1);
  unsetenv("W4_CUDA_LIBRARY");
  EXPECT_EQ(v["devices"][1]["skipped"], 12) << v;
  EXPECT_EQ(v["compared"], 12);
  EXPECT_EQ(alone["compared"], 0) << alone;
}

TEST(Vote, SaysWhatIsLegal) {
  EXPECT_THAT(w4check({"vote", "--devices", "gfx1151"}).err, HasSubstr("two or more"));
  EXPECT_THAT(w4check({"vote", "--devices", "gfx1151,gfx1151"}).err, HasSubstr("named twice"));
  EXPECT_THAT(w4check({"vote", "--devices", "gfx1151,tpu"}).err,
              HasSubstr("--devices: 'tpu'; legal: gfx1100"));
  EXPECT_THAT(w4check({"vote", "--cases", "0"}).err, HasSubstr("--cases: 0; legal: 1 to"));
}

TEST(Vote, EveryCallIsTheSameWhateverRunsIt) {
  for (int64_t i = 0; i < 200; ++i) {
    const Case c = vote::drawn(3, i, 1'000'000);
    EXPECT_EQ(c.fp, "auto");
    EXPECT_TRUE(c.problem.cus && c.problem.lds) << to_string(c);
    EXPECT_EQ(to_string(c), to_string(vote::drawn(3, i, 1'000'000)));
  }
}

}  // namespace
}  // namespace w4
