// Launchers whose kernel is right and whose result is not, and right ones that look alike: one
// source (launcher_lies.cu) compiled by `w4check intake`, one case each.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/campaign/process.h"

namespace w4::test {
namespace {

using ::testing::HasSubstr;
using w4::testing::Finished;
using w4::testing::read_file;
using w4::testing::TemporaryFolder;
using w4::testing::w4check;

struct Launcher {
  const char* name;
  int code;
  const char* says;
  bool out = false;  // the output is an argument
};

constexpr const char* kUnwrittenRow = "unwritten_output: out[m=2, n=0] was never written";
constexpr const char* kUnwritten = "unwritten_output: out[m=0, n=0] was never written";

const std::vector<Launcher> kLaunchers = {
    {"plain", 0, "pass"},
    {"second_tensor", 0, "pass"},
    {"recycled", 0, "pass"},
    {"looks_at_result", 0, "pass"},
    {"keeps_workspace", 0, "pass"},
    {"writes_argument", 0, "pass", true},
    {"recycled_last_row", 1, kUnwrittenRow},
    {"recycled_only", 1, kUnwritten},
    {"second_tensor_last_row", 1, kUnwrittenRow},
    {"returns_another", 1, kUnwritten, true},
    {"frees_result", 1, "the operator returns memory that it has freed"},
    {"writes_weights", 1, "the operator's host code writes 16 bytes into wei, byte 0"},
    {"frees_weights", 1, "a call of HIP failed and the operator went on (hipFree: 0x"},
    {"ignores_failed_copy", 1,
     "a call of HIP failed and the operator went on (hipMemcpy: hipMemcpyHostToDevice: src 0x"},
    {"ignores_failed_launch", 1,
     "a call of HIP failed and the operator went on (hipLaunchKernel: gemm("},
};

std::string manifest() {
  std::string kernels;
  for (const Launcher& l : kLaunchers) {
    kernels += std::string(kernels.empty() ? "" : ",") + R"({"name": ")" + l.name +
               R"(", "op": ")" + l.name +
               R"(", "args": [{"tensor": "wei", "layout": "dense"},
                {"tensor": "act", "layout": "dense"})" +
               (l.out ? R"(, {"tensor": "out", "layout": "dense"})" : "") +
               R"(], "assumes": ["act.f16"], "numerics":
                {"weight": "product_rounded", "chain": "fma_f32", "store": "round_once"}})";
  }
  return R"({"w4_manifest": 1, "kernels": [)" + kernels + "]}";
}

TEST(LauncherLies, EachIsToldFromTheRightOnes) {
  const TemporaryFolder folder;
  const std::string module = folder / "lies.w4m";
  const Finished made =
      w4check({"intake", W4_SOURCE_DIR "/tests/intake/launcher_lies.cu", "--manifest",
               folder.write("lies.json", manifest()), "--flags=-O1", "-o", module});
  ASSERT_EQ(made.code, 0) << made.err;
  for (const Launcher& l : kLaunchers) {
    SCOPED_TRACE(l.name);
    const Finished done =
        w4check({"rerun", l.name + std::string(" m=3 n=40 k=64 g=32 module=") + module});
    EXPECT_EQ(done.code, l.code) << done.out << done.err;
    EXPECT_THAT(done.out, HasSubstr(l.says));
  }
  // Cases of one process, the second with more rows; and the further calls of a law.
  const std::string line = "keeps_workspace n=40 k=64 g=32 module=" + module;
  const Finished more =
      w4check({"run", "--cases", "-"},
              line + " m=3\n" + line + " m=5\n" + line + " m=2\n" + line + " m=3 law=row_alone\n");
  EXPECT_EQ(more.code, 0) << more.out << more.err;
  EXPECT_THAT(more.out, HasSubstr("4 green (4 pass)"));
  // The module of a build tree that is gone.
  std::string moved = read_file(module);
  const auto build = std::filesystem::path(W4_COMMAND).parent_path().parent_path();
  const std::string library = (build / "lib").string();
  size_t named = 0;
  for (size_t at = 0; (at = moved.find(library, at)) != moved.npos; ++named) moved[at + 1] = '?';
  EXPECT_GE(named, 1u);
  const Finished elsewhere =
      w4check({"rerun", "plain n=40 k=64 g=32 module=" + folder.write("moved.w4m", moved)});
  EXPECT_EQ(elsewhere.code, 0) << elsewhere.out << elsewhere.err;
  // Everything that the contract refuses of experts is refused for having some.
  const Finished experts =
      w4check({"rerun", "plain m=4 experts=4 n=40 k=64 g=32 module=" + module});
  EXPECT_EQ(experts.code, 0) << experts.out << experts.err;
  EXPECT_THAT(experts.out, HasSubstr("refused: clause experts.none: experts = 4"));
}

}  // namespace
}  // namespace w4::test
