// `w4check capture` as a user calls it: the emulator captures itself, the capture is replayed, and
// what was altered in it is found, by the command and by the ctest of docs/hardware.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "campaign/capture/document.h"
#include "campaign/process.h"

namespace w4 {
namespace {

using ::testing::AllOf;
using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;

constexpr const char* kCases = "24";

// The text of the emulator's own capture.
const std::string& own() {
  static const std::string text = [] {
    TemporaryFolder f;
    const Finished done =
        w4check({"capture", "--device", "gfx1151", "--out", f / "own.json", "--cases", kCases});
    EXPECT_EQ(done.code, 0) << done.out << done.err;
    EXPECT_THAT(done.out, HasSubstr("emulated: it raises no evidence"));
    EXPECT_THAT(done.out,
                HasSubstr("v_dot2_f32_f16             agrees with gfx1151; with ieee in"));
    return read_file(f / "own.json");
  }();
  return text;
}

std::string with(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

// The first result of dot2_f32_f16: -1 + 3*8 + 8*4, which gfx11 makes 55.0000038.
std::string altered_instruction() { return with(own(), "\"425c0001 ", "\"425c0000 "); }

std::string altered_case() {
  const auto c = capture::parse_capture(own(), "own");
  const capture::CaseRecord& r = c->cases.front();
  std::string other = r.outputs;
  other[0] = other[0] == '0' ? '1' : '0';
  return with(own(), " | " + r.outputs, " | " + other);
}

// Runs a program of the build; its exit code and what it printed.
Finished run(const std::string& command) {
  TemporaryFolder f;
  const int status = std::system((command + " > '" + (f / "out") + "' 2>&1").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, read_file(f / "out"), ""};
}

TEST(CliCapture, OfTheEmulatorSaysSo) {
  const auto c = capture::parse_capture(own(), "own");
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_FALSE(c->silicon);
  EXPECT_EQ(c->arch, "gfx1151");
  EXPECT_EQ(c->device, "w4check emulated gfx1151");
  EXPECT_EQ(c->cases.size(), 24u);
  for (const auto& r : c->cases) {
    EXPECT_EQ(r.verdict, "pass") << r.line;
    EXPECT_EQ(r.outputs.size(), 16u) << r.line;
  }
  EXPECT_LT(own().size(), 1u << 20);
}

TEST(CliCapture, HoldsNothingOfItsOwner) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  for (const char* value :
       std::array<const char*, 3>{host, std::getenv("HOME"), std::getenv("USER")}) {
    if (value == nullptr || std::string_view(value).size() < 5) continue;
    EXPECT_THAT(own(), Not(HasSubstr(value)));
  }
  EXPECT_EQ(own().find('/' + std::string("home")), std::string::npos);
  EXPECT_EQ(own().find(W4_SOURCE_DIR), std::string::npos);
}

TEST(CliCapture, ReplayOfTheOwnAgrees) {
  TemporaryFolder f;
  const Finished done = w4check({"capture", "--replay", f.write("own.json", own())});
  EXPECT_EQ(done.code, 0) << done.out << done.err;
  EXPECT_THAT(done.out, HasSubstr(" 0 differ\n"));
  EXPECT_THAT(done.out, Not(HasSubstr("checksum")));
}

TEST(CliCapture, AnAlteredInstructionIsReported) {
  TemporaryFolder f;
  const Finished done =
      w4check({"capture", "--replay", f.write("own.json", altered_instruction())});
  EXPECT_EQ(done.code, 1) << done.out << done.err;
  EXPECT_THAT(done.out,
              HasSubstr("DIFFERS v_dot2_f32_f16\n"
                        "  operands: a 0x48004200 (3, 8), b 0x44004800 (8, 4), c 0xbf800000 (-1)\n"
                        "  expected: 0x425c0000 (55)\n"
                        "  got:      0x425c0001 (55.0000038)\n"));
  EXPECT_THAT(done.out, HasSubstr("the checksum does not fit: the file was edited or damaged"));
  EXPECT_THAT(done.out, HasSubstr(" 1 differ\n"));
}

TEST(CliCapture, AnAlteredCaseIsReported) {
  TemporaryFolder f;
  const Finished done = w4check({"capture", "--replay", f.write("own.json", altered_case())});
  EXPECT_EQ(done.code, 1) << done.out << done.err;
  const auto c = capture::parse_capture(own(), "own");
  EXPECT_THAT(done.out, HasSubstr("DIFFERS case\n  operands: " + c->cases[0].line));
  EXPECT_THAT(done.out, HasSubstr("  got:      pass, outputs " + c->cases[0].outputs));
}

// The same by the ctest that replays docs/hardware.
TEST(CliCapture, CtestReportsAnAlteredValue) {
  TemporaryFolder f;
  const std::string file = f.write("gfx1151-test.json", own());
  const std::string command =
      "W4_HARDWARE='" + std::filesystem::path(file).parent_path().string() + "' " W4_CAPTURES_TEST;
  const Finished green = run(command);
  EXPECT_EQ(green.code, 0) << green.out;
  EXPECT_THAT(
      green.out,
      HasSubstr("[       OK ] DocsHardware/HardwareCapture.IsWhatTheEmulatorGives/gfx1151_test"));
  f.write("gfx1151-test.json", altered_instruction());
  const Finished red = run(command);
  EXPECT_EQ(red.code, 1) << red.out;
  EXPECT_THAT(
      red.out,
      HasSubstr("[  FAILED  ] DocsHardware/HardwareCapture.IsWhatTheEmulatorGives/gfx1151_test"));
  EXPECT_THAT(red.out,
              AllOf(HasSubstr("DIFFERS v_dot2_f32_f16"), HasSubstr("operands: a 0x48004200"),
                    HasSubstr("expected: 0x425c0000"), HasSubstr("got:      0x425c0001")));
  f.write("gfx1151-test.json", altered_case());
  const Finished other = run(command);
  EXPECT_EQ(other.code, 1) << other.out;
  EXPECT_THAT(other.out, HasSubstr("DIFFERS case\n  operands: "));
}

// The build's generator: what silicon agrees with is evidence, what differs is not, and nothing is
// that was not captured on silicon.
TEST(CliCapture, EvidenceIsOfSiliconThatAgrees) {
  TemporaryFolder f;
  const auto table = [&](const std::string& capture) {
    const std::string file = f.write("gfx1151-test.json", capture);
    const Finished done =
        run(std::string("'" W4_EVIDENCE "' '") + (f / "table.cpp") + "' '" + file + "'");
    EXPECT_EQ(done.code, 0) << done.out;
    return read_file(f / "table.cpp");
  };
  EXPECT_THAT(table(own()), HasSubstr("return {};"));
  const std::string silicon = with(own(), "\"silicon\": false", "\"silicon\": true");
  const std::string all = table(silicon);
  EXPECT_THAT(all, HasSubstr("{\"v_dot2_f32_f16\", 11, \"gfx1151-test.json\"}"));
  EXPECT_THAT(all, HasSubstr("{\"v_wmma_f32_16x16x16_bf16\", 11,"));
  const std::string altered = table(with(silicon, "\"425c0001 ", "\"425c0000 "));
  EXPECT_THAT(altered, Not(HasSubstr("\"v_dot2_f32_f16\"")));
  EXPECT_THAT(altered, HasSubstr("\"v_dot2_f32_bf16\""));
  EXPECT_THAT(table(with(silicon, "\"quick\": false", "\"quick\": true")), HasSubstr("return {};"));
  EXPECT_EQ(run(std::string("'" W4_EVIDENCE "' '") + (f / "t.cpp") + "' '" +
                f.write("bad.json", "{") + "'")
                .code,
            1);
}

// A program built with a capture marked as silicon's names it.
TEST(CliCapture, ListSaysWhatACaptureIsEvidenceFor) {
  EXPECT_THAT(w4check({"list", "instructions"}).out, HasSubstr("public hardware report"));
  const Finished with_capture = run(W4_WITH_CAPTURE);
  EXPECT_EQ(with_capture.code, 0) << with_capture.out;
  EXPECT_THAT(with_capture.out,
              HasSubstr("v_dot2_f32_f16: hardware capture (gfx11 by fixture.json)"));
  EXPECT_THAT(with_capture.out, HasSubstr("auto: \n"));
  EXPECT_THAT(with_capture.out, HasSubstr("ieee: v_dot2_f32_f16\n"));
}

// What a card's owner runs, on the emulator behind HIP's interface.
TEST(CliCapture, ThroughHipIsTheSame) {
  TemporaryFolder f;
  setenv("W4_HIP_LIBRARY", W4_HIP, 1);
  setenv("W4HIP", "device=gfx1151 checks=none", 1);
  const Finished done = w4check({"capture", "--out", f / "hip.json", "--cases", kCases});
  unsetenv("W4_HIP_LIBRARY");
  unsetenv("W4HIP");
  ASSERT_EQ(done.code, 0) << done.out << done.err;
  EXPECT_THAT(done.out, HasSubstr("emulated: it raises no evidence"));
  const auto hip = capture::read_capture(f / "hip.json"),
             direct = capture::parse_capture(own(), "own");
  ASSERT_TRUE(hip) << hip.error().text;
  EXPECT_FALSE(hip->silicon);
  EXPECT_EQ(hip->device, "w4check emulated gfx1151");
  EXPECT_THAT(hip->driver, HasSubstr("libw4hip.so"));
  EXPECT_THAT(hip->driver, Not(HasSubstr("/")));
  ASSERT_EQ(hip->probes.size(), direct->probes.size());
  for (size_t i = 0; i < hip->probes.size(); ++i) {
    EXPECT_EQ(hip->probes[i].exact, direct->probes[i].exact) << hip->probes[i].name;
    EXPECT_EQ(hip->probes[i].blocks, direct->probes[i].blocks) << hip->probes[i].name;
  }
  ASSERT_EQ(hip->cases.size(), direct->cases.size());
  for (size_t i = 0; i < hip->cases.size(); ++i) {
    EXPECT_EQ(hip->cases[i].line, direct->cases[i].line);
    EXPECT_EQ(hip->cases[i].verdict, direct->cases[i].verdict) << hip->cases[i].line;
    EXPECT_EQ(hip->cases[i].outputs, direct->cases[i].outputs) << hip->cases[i].line;
  }
  const Finished replayed = w4check({"capture", "--replay", f / "hip.json"});
  EXPECT_EQ(replayed.code, 0) << replayed.out;
}

TEST(CliCapture, WithoutAGpuSaysWhy) {
  TemporaryFolder f;
  setenv("W4_HIP_LIBRARY", "/no/such/libamdhip64.so", 1);
  const Finished done = w4check({"capture", "--out", f / "hip.json"});
  unsetenv("W4_HIP_LIBRARY");
  EXPECT_EQ(done.code, 2) << done.out << done.err;
  EXPECT_THAT(done.err, HasSubstr("--device: device=hip: "));
  EXPECT_THAT(done.err, HasSubstr("/no/such/libamdhip64.so"));
  EXPECT_FALSE(std::filesystem::exists(f / "hip.json"));
}

TEST(CliCapture, WrongUseIsNamed) {
  TemporaryFolder f;
  const Finished device = w4check({"capture", "--device", "gfx900"});
  EXPECT_EQ(device.code, 2);
  EXPECT_THAT(device.err, HasSubstr("--device: 'gfx900' cannot be captured; legal: hip, gfx1100,"));
  const Finished folder = w4check({"capture", "--device", "gfx1151", "--out", f / "no/such.json"});
  EXPECT_EQ(folder.code, 2);
  EXPECT_THAT(folder.err, HasSubstr("--out: cannot write"));
  EXPECT_EQ(folder.out, "");
  EXPECT_EQ(w4check({"capture", "--cases", "-1"}).code, 2);
  const Finished missing = w4check({"capture", "--replay", f / "none.json"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("cannot read"));
  const Finished cut = w4check({"capture", "--replay", f.write("cut.json", own().substr(0, 9999))});
  EXPECT_EQ(cut.code, 2);
  EXPECT_THAT(cut.err, HasSubstr("cut.json: not a capture: not JSON to its end"));
}

TEST(CliCapture, CtrlCLeavesNoFile) {
  TemporaryFolder f;
  const Finished done = testing::w4check_interrupted(
      {"capture", "--device", "gfx1151", "--out", f / "a.json", "--cases", "5000"},
      f / "a.json.part");
  EXPECT_EQ(done.code, 130) << done.out << done.err;
  EXPECT_FALSE(std::filesystem::exists(f / "a.json"));
  EXPECT_FALSE(std::filesystem::exists(f / "a.json.part"));
}

}  // namespace
}  // namespace w4
