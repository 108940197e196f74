// Every capture of docs/hardware against the emulator, as `w4check capture --replay` does it: a
// value that differs is named with its instruction and operands. W4_HARDWARE names another folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "campaign/capture/document.h"
#include "campaign/process.h"

namespace w4 {
namespace {

std::string folder() {
  const char* named = std::getenv("W4_HARDWARE");
  return named != nullptr ? named : W4_HARDWARE_FOLDER;
}

std::vector<std::string> captures() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ".json") out.push_back(entry.path().string());
  std::ranges::sort(out);
  return out;
}

class HardwareCapture : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(HardwareCapture);
INSTANTIATE_TEST_SUITE_P(DocsHardware, HardwareCapture, ::testing::ValuesIn(captures()),
                         [](const auto& p) {
                           std::string name = std::filesystem::path(p.param).stem().string();
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

TEST_P(HardwareCapture, IsWhatTheEmulatorGives) {
  const auto f = testing::w4check({"capture", "--replay", GetParam()});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
}

// One that says it is of silicon and is not would raise evidence.
TEST_P(HardwareCapture, IsOfSilicon) {
  if (folder() != W4_HARDWARE_FOLDER) GTEST_SKIP() << "a folder of a test";
  const auto c = capture::read_capture(GetParam());
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_TRUE(c->silicon);
  EXPECT_EQ(c->device.find("emulated"), std::string::npos);
  EXPECT_LT(std::filesystem::file_size(GetParam()), 1u << 20);
}

TEST(HardwareCaptures, AreThere) {
  if (captures().empty())
    GTEST_SKIP() << "no capture of silicon in docs/hardware yet (docs/capture.md asks for them)";
}

}  // namespace
}  // namespace w4
