// `w4check` with device=cuda on the library that stands in for NVIDIA's driver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "campaign/process.h"

namespace w4 {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::Finished;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::w4check;

const std::string kOn = " device=cuda module=" W4_FAKE_CUDA_MODULE;

class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }

 private:
  const char* name_;
};

Finished rerun(const std::string& line) { return w4check({"rerun", line + kOn}); }

// Kinds of the verdicts, in the order of the lines, which are as they print.
std::vector<std::string> kinds(const std::vector<std::string>& lines, const std::string& jobs) {
  const TemporaryFolder folder;
  std::string text;
  for (const std::string& l : lines) text += l + kOn + "\n";
  const Finished f = w4check({"run", "--cases", folder.write("a.cases", text), "--jobs", jobs,
                              "--json", folder / "a.json"});
  std::vector<std::string> out(lines.size(), f.out + f.err);
  std::istringstream in(testing::read_file(folder / "a.json"));
  for (std::string row; std::getline(in, row);) {
    const auto j = nlohmann::json::parse(row);
    for (size_t i = 0; i < lines.size(); ++i) {
      if (j["line"].get<std::string>().starts_with(lines[i] + " device")) out[i] = j["kind"];
    }
  }
  return out;
}

TEST(CliCuda, EveryKernelVerifiesThere) {
  const Environment library("W4_CUDA_LIBRARY", W4_FAKE_CUDA_LIBRARY);
  for (const char* line : {
           "decode m=3 n=72 k=512 g=64 zp=packed bias=n fill=normal",
           "decode m=5 n=64 k=256 act=bf16 zp=unpacked fill=normal place=beginning",
           "decode m=1 n=40 k=384 wpad=16 aoff=16 place=plain",
           "prefill m=20 n=40 k=256 zp=packed bias=n fill=normal",
           "prefill m=33 n=64 k=128 act=bf16 fill=normal place=plain",
           "chunked m=2 n=48 k=8192 g=32 zp=packed",
           "moe m=4 n=64 k=256 experts=4 topk=2",
       }) {
    const Finished f = rerun(line);
    EXPECT_EQ(f.code, 0) << line << "\n" << f.out << f.err;
    EXPECT_THAT(f.out, HasSubstr("pass")) << line;
  }
}

TEST(CliCuda, WithoutADriverCasesAreSkippedWithTheReason) {
  const Environment library("W4_CUDA_LIBRARY", "/nowhere/libcuda.so.1");
  const Finished f = rerun("decode");
  EXPECT_THAT(f.out, AllOf(HasSubstr("skipped"), HasSubstr("no NVIDIA driver"),
                           HasSubstr("/nowhere/libcuda.so.1")))
      << f.err;
}

TEST(CliCuda, OnAGpuThatIsTooOldCasesAreSkippedWithTheReason) {
  const Environment library("W4_CUDA_LIBRARY", W4_FAKE_CUDA_LIBRARY);
  const Environment old("W4_FAKE_CUDA", "old");
  EXPECT_THAT(rerun("decode").out, AllOf(HasSubstr("skipped"), HasSubstr("compute capability 7.5"),
                                         HasSubstr("needed: 8.0")));
}

// The stand-in's kernel reads one byte past the weights (zoo/pages).
TEST(CliCuda, AReadPastTheWeightsFaultsBeforeUnmappedMemoryAlone) {
  const Environment library("W4_CUDA_LIBRARY", W4_FAKE_CUDA_OVER_READ);
  const std::string line = "decode m=3 n=64 k=256";
  EXPECT_EQ(rerun(line + " place=plain").code, 0);
  EXPECT_EQ(rerun(line + " place=beginning").code, 0);
  const Finished f = rerun(line);
  EXPECT_EQ(f.code, 1);
  EXPECT_THAT(f.out, AllOf(HasSubstr("device_fault"), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"),
                           HasSubstr("the last byte of each buffer before unmapped memory")))
      << f.err;
  EXPECT_EQ(rerun(line + " wpad=16").code, 0);
  EXPECT_EQ(rerun(line + " g=64").code, 0);  // another kernel
}

TEST(CliCuda, AfterAFaultTheRunGoesOnInANewWorker) {
  const Environment library("W4_CUDA_LIBRARY", W4_FAKE_CUDA_OVER_READ);
  const std::vector<std::string> lines = {"decode m=2 g=64", "decode m=2", "decode m=3 g=64",
                                          "decode m=3",      "decode m=4", "decode m=4 g=64"};
  for (const char* jobs : {"1", "3"}) {
    EXPECT_THAT(kinds(lines, jobs),
                ElementsAre("pass", "finding", "pass", "finding", "finding", "pass"));
  }
}

// Each attempt after a fault has a worker of its own, so what is left still fails.
TEST(CliCuda, AFaultShrinks) {
  const Environment library("W4_CUDA_LIBRARY", W4_FAKE_CUDA_OVER_READ);
  const Finished f = w4check({"shrink", "decode m=3 n=64 k=512 bias=n fill=normal" + kOn});
  EXPECT_THAT(f.out, AllOf(::testing::StartsWith("decode n=1 k=128 device=cuda"),
                           HasSubstr("device_fault")))
      << f.err;
}

TEST(CliCuda, PlaceSaysNothingElsewhere) {
  EXPECT_THAT(w4check({"rerun", "decode place=plain"}).err,
              HasSubstr("place=plain says nothing where device is not hip or cuda"));
}

}  // namespace
}  // namespace w4
