// The command: emulated devices end to end, GPUs that are not there, what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "campaign/process.h"

namespace w4 {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using w4::testing::Finished;
using w4::testing::read_file;
using w4::testing::TemporaryFolder;
using w4::testing::w4check;

TEST(CliBench, AnEmulatedDeviceCounts) {
  const TemporaryFolder folder;
  const std::string file = folder / "bench.json";
  const Finished f =
      w4check({"bench", "--device", "gfx1151", "--shapes", "64x256", "--m", "1,2", "--json", file});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("instr/wt"));
  EXPECT_THAT(f.out, HasSubstr("wave-instructions per weight"));
  const json d = json::parse(read_file(file));
  ASSERT_EQ(d.at("rows").size(), 2u);
  for (const json& row : d.at("rows")) {
    EXPECT_EQ(row.at("unit"), "wave-instructions/weight");
    EXPECT_EQ(row.at("kernel"), "decode");
    const double counted = row.at("counted").at("wave_instructions");
    EXPECT_GT(counted, 0);
    EXPECT_DOUBLE_EQ(row.at("figure"), counted / (64 * 256));
  }
}

TEST(CliBench, ACallThatIsNotTakenHasNoFigure) {
  const Finished f = w4check({"bench", "--device", "gfx1151", "--kernel", "decode", "--shapes",
                              "8x9216", "--m", "1,5", "--json", "-"});
  EXPECT_EQ(f.code, 0) << f.err;
  const json d = json::parse(f.out);
  EXPECT_FALSE(d.at("rows").at(0).at("figure").is_null());
  EXPECT_TRUE(d.at("rows").at(1).at("figure").is_null());
  EXPECT_TRUE(d.at("rows").at(1).at("skipped"));
  EXPECT_THAT(f.err, HasSubstr("skipped"));
}

TEST(CliBench, ARedCallIsRed) {
  const Finished f = w4check(
      {"bench", "--device", "gfx1151", "--case", "decode m=1 n=8 k=256 only=n3..3", "--json", "-"});
  EXPECT_EQ(f.code, 1) << f.err;
  const json d = json::parse(f.out);
  EXPECT_FALSE(d.at("rows").at(0).at("green"));
  EXPECT_TRUE(d.at("rows").at(0).at("figure").is_null());
  EXPECT_THAT(f.err, HasSubstr("not green"));
}

// W4_CUDA_LIBRARY and its like: no machine has a GPU at that path.
TEST(CliBench, WithoutTheGpuItIsSkipped) {
  for (const char* device : {"cuda", "hip"}) {
    setenv("W4_CUDA_LIBRARY", "/nowhere/libcuda.so.1", 1);
    setenv("W4_HIP_LIBRARY", "/nowhere/libamdhip64.so.6", 1);
    const Finished f = w4check({"bench", "--device", device});
    EXPECT_EQ(f.code, 1) << f.out;
    EXPECT_THAT(f.out, HasSubstr("skipped: "));
    EXPECT_THAT(f.out, HasSubstr("nothing was measured"));
  }
}

// The whole way of a GPU, to the emulator behind the functions of a HIP runtime: its clock says
// something, whatever it says.
TEST(CliBench, AGpuIsTimed) {
  setenv("W4_HIP_LIBRARY", W4_HIP_STAND_IN, 1);
  const TemporaryFolder folder;
  const std::string file = folder / "bench.json";
  const std::string with =
      folder.write("torch.json", R"({"rows": [{"who": "torch", "n": 64, "k": 256, "m": 1, "g": 128,
                                  "seconds": 1e-3, "gb_per_s": 1}]})");
  const Finished f =
      w4check({"bench", "--device", "hip", "--shapes", "64x256", "--m", "1,6", "--repeat", "2",
               "--floor", "0", "--rotate", "1", "--copy", "1", "--with", with, "--json", file});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("device copy of 1 MiB"));
  EXPECT_THAT(f.out, HasSubstr("(foreign)"));
  const json d = json::parse(read_file(file));
  ASSERT_EQ(d.at("rows").size(), 3u);
  for (const json& row : d.at("rows")) {
    EXPECT_TRUE(row.at("green")) << row;
    EXPECT_GT(row.at("figure"), 0) << row;
  }
  EXPECT_EQ(d.at("rows").at(0).at("bytes"), 9152);
  EXPECT_GT(d.at("rows").at(0).at("copies"), 100);
  EXPECT_EQ(d.at("rows").at(1).at("kernel"), "prefill");
}

TEST(CliBench, WhatItRefuses) {
  const auto refused = [](std::vector<std::string> words) {
    words.insert(words.begin(), "bench");
    const Finished f = w4check(words);
    EXPECT_EQ(f.code, 2) << f.out;
    return f.err;
  };
  EXPECT_THAT(refused({"--device", "host"}), HasSubstr("--device: on host"));
  EXPECT_THAT(refused({"--device", "gfx9"}), HasSubstr("there is no 'gfx9'"));
  EXPECT_THAT(refused({}), HasSubstr("--device"));
  EXPECT_THAT(refused({"--device", "gfx1151", "--m", "x"}), HasSubstr("--m"));
  EXPECT_THAT(refused({"--device", "gfx1151", "--repeat", "0"}), HasSubstr("--repeat: 0; legal"));
  EXPECT_THAT(refused({"--device", "gfx1151", "--floor", "-1"}), HasSubstr("--floor"));
  EXPECT_THAT(refused({"--device", "gfx1151", "--with", "/nowhere"}), HasSubstr("--with"));
  EXPECT_THAT(refused({"--device", "cuda", "--with", "/nowhere"}), HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace w4
