// `w4check intake` as a user calls it: what is wrong is named, the compiler's own words are shown,
// and nothing but a whole module takes the place of an older one.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/campaign/process.h"

namespace w4::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using w4::testing::Finished;
using w4::testing::read_file;
using w4::testing::TemporaryFolder;
using w4::testing::w4check;
using w4::testing::w4check_interrupted;

constexpr const char* kSource = R"(#include <torch/all.h>
__global__ void nothing(int*) {}
namespace ops {
torch::Tensor twice(torch::Tensor act, const at::Tensor& wei, double f, bool b, c10::string_view t,
                    c10::optional<at::Tensor> bias, int64_t n) {
  nothing<<<1, 32>>>(nullptr);
  return torch::empty({n, n}, act.options());
}
}
void odd(std::vector<at::Tensor> all) {}
)";

TEST(IntakeCommand, ArgumentsThatAreWrongAreNamed) {
  const TemporaryFolder folder;
  const std::string source = folder.write("a.cu", kSource), out = folder / "a.w4m";
  const auto says = [&](const std::vector<std::string>& words, const std::string& what) {
    std::vector<std::string> all{"intake"};
    all.insert(all.end(), words.begin(), words.end());
    const Finished done = w4check(all);
    EXPECT_EQ(done.code, 2) << done.out << done.err;
    EXPECT_THAT(done.err, HasSubstr(what));
    EXPECT_FALSE(std::filesystem::exists(out));
  };
  says({}, "what to take in? legal: FILE");
  says({source}, "what to take in? legal: FILE");
  says({folder / "none.cu", "-o", out}, "none.cu': no such file");
  says({source, "-o", out, "--arch", "gfx942"}, "--arch: 'gfx942'; legal: gfx1100");
  says({source, "-o", out, "--op", "a b"}, "--op: 'a b'; legal: the name of a function");
  says({source, "-o", out, "--op", "odd", "-I", folder / "none"}, "none' is no folder");
  says({source, "-o", folder / "", "--op", "odd"}, "is a folder; legal: a file");
  says({source, "-o", folder / "none/a.w4m", "--op", "odd"}, "there is no folder '");
  says({source, "-o", "/dev/null", "--op", "odd"}, "'/dev/null' is not a regular file");
  says({source, "-o", source, "--op", "odd"}, "is what is taken in; legal: another file");
  EXPECT_EQ(read_file(source), kSource);
  says({source, "-o", out}, "no operator: give --manifest FILE or --op NAME");
  says({source, "-o", out, "--manifest", folder / "none.json"}, "none.json': no such file");
  says({source, "-o", out, "--manifest", folder.write("bad.json", "{]")}, "bad.json:1:2");
  says({source, "-o", out, "--manifest", W4_TRITON "/w4a16.json"}, "has no \"op\"");
}

TEST(IntakeCommand, FunctionsThatCouldBeOperatorsAreListed) {
  const TemporaryFolder folder;
  const std::string source = folder.write(
      "a.cu",
      "at::Tensor declared(at::Tensor a);\nat::Tensor one(at::Tensor a,\n  int b) {\n}\n"
      "void two(torch::Tensor& a) { }\nvoid helper(int a) {}\n  at::Tensor inner(at::Tensor) {}\n"
      "at::Tensor cut(at::Tensor");
  const Finished done = w4check({"intake", source, "-o", folder / "a.w4m"});
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.err, HasSubstr("a.cu' has one, two\n"));
}

TEST(IntakeCommand, SaysWhatItFoundAndKeepsWhatItCompiled) {
  const TemporaryFolder folder;
  const std::string source = folder.write("a.cu", kSource), out = folder / "a.w4m";
  const Finished done = w4check({"intake", source, "-o", out, "--op", "ops::twice", "--op", "odd",
                                 "--keep", folder / "kept", "-D", "UNUSED=1"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out,
              AllOf(HasSubstr("a.w4m: for gfx1151"), HasSubstr("1 kernels for gfx1151"),
                    HasSubstr("ops::twice(tensor, tensor, float, bool, text, optional tensor, int) "
                              "returns tensor"),
                    HasSubstr("odd(unknown) returns nothing"), HasSubstr("cannot be called"),
                    HasSubstr("no manifest")));
  EXPECT_THAT(read_file(folder / "kept/glue.cpp"), HasSubstr("W4_OP(ops::twice)"));
  EXPECT_THAT(read_file(folder / "kept/command"), HasSubstr("-DUNUSED=1"));
  const Finished run = w4check({"rerun", "twice module=" + out});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.out + run.err, HasSubstr("made without a manifest"));
}

TEST(IntakeCommand, ASourceThatDoesNotCompileLeavesTheOlderModule) {
  const TemporaryFolder folder;
  const std::string out = folder.write("a.w4m", "older");
  const std::string source = folder.write(
      "a.cu", "#include <torch/all.h>\nvoid f(at::Tensor t) { t.to(at::kHalf); t.nowhere(); }\n");
  const Finished done = w4check({"intake", source, "-o", out, "--op", "f"});
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(
      done.err,
      AllOf(HasSubstr("no member named 'nowhere'"), HasSubstr("torch_lite has no Tensor::to"),
            HasSubstr("does not compile with f as operator; nothing is written")));
  EXPECT_EQ(read_file(out), "older");
  for (const auto& file : std::filesystem::directory_iterator(folder / "")) {
    EXPECT_THAT(file.path().string(), Not(HasSubstr("unfinished")));
  }
}

TEST(IntakeCommand, WhatIsNoSingleFunctionIsNamed) {
  const TemporaryFolder folder;
  const std::string source = folder.write(
      "a.cu",
      "#include <torch/all.h>\nvoid f(at::Tensor t) {}\nvoid f(at::Tensor t, int64_t n) {}\n");
  const Finished done = w4check({"intake", source, "-o", folder / "a.w4m", "--op", "f"});
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.err, HasSubstr("does not compile with f as operator; nothing is written. An "
                                  "operator is one function: no overloads"));
}

TEST(IntakeCommand, AnInterruptLeavesNothingBehind) {
  const TemporaryFolder folder;
  const std::string source = folder.write("a.cu", kSource), kept = folder / "kept";
  const Finished done = w4check_interrupted(
      {"intake", source, "-o", folder / "a.w4m", "--op", "odd", "--keep", kept}, kept + "/command");
  EXPECT_EQ(done.code, 130);
  EXPECT_THAT(done.err, HasSubstr("interrupted; nothing is written"));
  for (const auto& file : std::filesystem::directory_iterator(folder / "")) {
    EXPECT_THAT(file.path().string(), Not(HasSubstr("a.w4m")));
  }
}

TEST(IntakeCommand, AManifestThatDoesNotFitIsRefusedWithItsPlace) {
  const TemporaryFolder folder;
  const std::string source = folder.write("a.cu", kSource);
  const std::string manifest = folder.write("a.json", R"({"w4_manifest": 1, "kernels": [
  {"name": "twice", "op": "ops::twice", "says": "twice",
   "args": [{"tensor": "act", "layout": "dense"}, {"tensor": "wei", "layout": "dense"}],
   "clauses": [], "numerics": {"weight": "product_exact", "chain": "fma_f32", "store": "round_once"}}]})");
  const Finished done = w4check({"intake", source, "-o", folder / "a.w4m", "--manifest", manifest});
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.err, HasSubstr("2 arguments are declared; 'ops::twice' takes 7"));
}

}  // namespace
}  // namespace w4::test
