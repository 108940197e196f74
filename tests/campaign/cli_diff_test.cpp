// `w4check diff` as a user calls it: which section names which difference, what is declared, and
// what native code may do.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "campaign/process.h"

namespace w4 {
namespace {

using nlohmann::json;
using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;
using testing::w4check_interrupted;

std::string module_of(const std::string& id) {
  std::istringstream list(read_file(W4_MODULES_LIST));
  for (std::string name, path; list >> name >> path;) {
    if (name == id) return path;
  }
  return "";
}

struct Compared {
  Finished finished;
  json result;

  // Keys of the undeclared differences of a section.
  std::vector<std::string> keys(const std::string& section) const {
    std::vector<std::string> out;
    for (const json& s : result.at("sections")) {
      if (s.at("section") != section) continue;
      for (const json& row : s.at("differences")) {
        for (const json& key : row.at("keys")) out.push_back(key);
      }
    }
    return out;
  }
};

// The decode kernel of both on gfx1151.
Compared compare(const std::string& a, const std::string& b, std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  const std::string file = folder / "diff.json";
  std::vector<std::string> words{"diff",   a,          b,    "--device", "gfx1151", "--kernel",
                                 "decode", "--budget", "5m", "--json",   file};
  words.insert(words.end(), more.begin(), more.end());
  Compared out{w4check(words), {}};
  out.result = json::parse(read_file(file), nullptr, false);
  return out;
}

testing::Finished diff(std::vector<std::string> words) {
  words.insert(words.begin(), "diff");
  return w4check(words);
}

MATCHER_P(AnyKey, part, "") {
  return std::ranges::any_of(arg,
                             [this](const std::string& key) { return key.find(part) != key.npos; });
}

TEST(CliDiff, TheSameKernelsInAnotherFormAreEqual) {
  const Compared d = compare("builtin", module_of("clean"), {"--cases", "60"});
  EXPECT_EQ(d.finished.code, 0) << d.finished.out << d.finished.err;
  EXPECT_THAT(d.finished.out, HasSubstr("no undeclared difference"));
  EXPECT_EQ(d.result.at("differences"), 0);
  for (const json& section : d.result.at("sections")) {
    EXPECT_GT(section.at("done").get<int>(), 0) << section.at("section");
    EXPECT_EQ(section.at("done"), section.at("planned")) << section.at("section");
  }
  const json bits = d.result.at("sections").back();
  EXPECT_EQ(bits.at("section"), "bits");
  EXPECT_THAT(d.finished.out,
              HasSubstr(fmt::format("note: {} cases with equal bits", bits.at("done").get<int>())));
}

// The founding defects, each where it shows.
TEST(CliDiffFounding, AnotherGroupSizeIsARouteAndWrongBits) {
  const Compared d = compare("builtin", module_of("g64_runs_128"), {"--cases", "120"});
  EXPECT_EQ(d.finished.code, 1);
  EXPECT_THAT(d.keys("contract"), ::testing::IsEmpty());
  EXPECT_THAT(d.keys("route"), ::testing::ElementsAre("decode/A:g64/B:g128"));
  for (const std::string& key : d.keys("bits"))
    EXPECT_THAT(key, ::testing::AllOf(HasSubstr("/B_wrong:_mismatch/"), HasSubstr("/g64/")));
  EXPECT_FALSE(d.keys("bits").empty());
}

TEST(CliDiffFounding, ZeroPointsReadAsWordsAreARouteAndWrongBitsOfUnpackedOnes) {
  const Compared d = compare("builtin", module_of("zp_half_read_as_packed"), {"--cases", "120"});
  EXPECT_EQ(d.finished.code, 1);
  EXPECT_THAT(d.keys("contract"), ::testing::IsEmpty());
  EXPECT_THAT(d.keys("route"), ::testing::Each("decode/A:unpacked/B:packed"));
  EXPECT_THAT(d.keys("bits"), AnyKey("/B_wrong:_mismatch/"));
  for (const std::string& key : d.keys("bits")) EXPECT_THAT(key, HasSubstr("/unpacked"));
}

TEST(CliDiffFounding, ABiasReadWithAnotherStrideIsInTheBitsAlone) {
  const Compared d = compare("builtin", module_of("bias_row_stride_n"), {"--cases", "80"});
  EXPECT_EQ(d.finished.code, 1);
  for (const char* section : {"contract", "route", "code", "work"})
    EXPECT_THAT(d.keys(section), ::testing::IsEmpty()) << section;
  EXPECT_THAT(d.keys("bits"), AnyKey("/B_wrong:_finding_oob_read/"));
  EXPECT_THAT(d.finished.out, HasSubstr("bias=mx1"));  // in the line that shows it
  EXPECT_THAT(d.finished.out, HasSubstr("elements differ"));
}

TEST(CliDiffFounding, AGateThatAsksTheDeviceIsInTheContract) {
  const Compared d = compare("builtin", module_of("lds_gate_asks_device"),
                             {"--cases", "300", "--section", "bits"});
  EXPECT_EQ(d.finished.code, 1);
  EXPECT_THAT(d.keys("contract"), AnyKey("decode/call/A:lds.limit/B:takes_it"));
  EXPECT_THAT(d.keys("bits"), AnyKey("B_wrong:_finding_lds_oob"));
  // The smallest call that shows it is past the limit of 39321 elements and reports a larger LDS.
  EXPECT_THAT(d.finished.out, HasSubstr("lds="));
}

TEST(CliDiff, OtherCodeIsNamedByRegistersAndInstructions) {
  const Compared d = compare(module_of("clean"), module_of("clean_o1"), {"--cases", "60"});
  EXPECT_EQ(d.finished.code, 1);
  EXPECT_THAT(d.keys("code"), ::testing::IsSupersetOf({"decode/VGPRs", "decode/instructions",
                                                       "decode/SOPP_instructions"}));
  EXPECT_THAT(d.keys("work"), AnyKey("decode/wave-instructions_per_weight"));
  EXPECT_THAT(d.keys("contract"), ::testing::IsEmpty());
}

// Sums that lean to one side mostly stay within their intervals: nobody is wrong there, and it is
// said.
TEST(CliDiffFounding, OtherBitsWithinTheIntervalsAreADifference) {
  const Compared d = compare(module_of("clean_o1"), module_of("sums_lean"),
                             {"--cases", "60", "--section", "bits"});
  EXPECT_EQ(d.finished.code, 1);
  EXPECT_THAT(d.keys("bits"), AnyKey("/both_within,_other_bits/"));
}

// Declared differences: written, refused while no reason stands there, accepted, and stale.
TEST(CliDiffDeclared, DeclaredDifferencesAreNoneAndStaleOnesAreSaid) {
  const TemporaryFolder folder;
  const std::string defect = module_of("g64_runs_128"), file = folder / "declared.txt";
  const Compared first =
      compare("builtin", defect,
              {"--cases", "60", "--write-accept", file, "--section", "bits", "--section", "route"});
  ASSERT_EQ(first.finished.code, 1);
  std::string text = read_file(file);
  EXPECT_THAT(text, HasSubstr("route decode/A:g64/B:g128 ?\n"));
  const Compared unread = compare("builtin", defect, {"--accept", file});
  EXPECT_EQ(unread.finished.code, 2);
  EXPECT_THAT(unread.finished.err, HasSubstr("nobody has written the reason"));
  for (size_t at = 0; (at = text.find(" ?\n", at)) != text.npos;) text.replace(at, 2, " known");
  const std::string written = folder.write("written.txt", text);
  const Compared second =
      compare("builtin", defect,
              {"--cases", "60", "--accept", written, "--section", "bits", "--section", "route"});
  EXPECT_EQ(second.finished.code, 0) << second.finished.out << second.finished.err;
  EXPECT_EQ(second.result.at("differences"), 0);
  EXPECT_THAT(second.finished.out, HasSubstr("accepted"));
  // A pattern in place of them all.
  const std::string pattern =
      folder.write("pattern.txt", "# all of it\nroute decode/* known\nbits */g64/* known too\n");
  EXPECT_EQ(
      compare("builtin", defect,
              {"--cases", "60", "--accept", pattern, "--section", "bits", "--section", "route"})
          .finished.code,
      0);
  // Without --kernel, what declares nothing is stale. The same module twice has neither.
  const Finished stale = diff({W4_FORK, W4_FORK, "--device", "gfx1151", "--cases", "5", "--accept",
                               pattern, "--section", "route", "--section", "bits"});
  EXPECT_EQ(stale.code, 1);
  EXPECT_THAT(stale.out, HasSubstr("line 2: route decode/* is no difference any more"));
  EXPECT_THAT(stale.out, HasSubstr("line 3: bits */g64/*"));
}

TEST(CliDiff, AKernelOfOneAloneIsSaid) {
  const std::string triton = W4_TRITON "/w4a16.json";
  const Finished f = diff({"builtin", triton, "--device", "gfx1151", "--section", "code"});
  EXPECT_EQ(f.code, 1);
  EXPECT_THAT(f.out, HasSubstr("has it"));
  // A manifest against itself, asked by the generators of dense kernels.
  const Finished same =
      diff({triton, triton, "--device", "gfx1151", "--cases", "60", "--section", "bits"});
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("cases with equal bits"));
  EXPECT_THAT(same.out, Not(HasSubstr("bits: 0 of 0")));
}

// M = 1 aborts, 2 hangs, 3 exits: each call costs one process and no more.
TEST(CliDiff, NativeCodeThatCrashesIsADifference) {
  const Compared d =
      compare("builtin", W4_BAD_MODULE, {"--cases", "20", "--section", "bits", "--seed", "5"});
  EXPECT_EQ(d.finished.code, 1) << d.finished.err;
  EXPECT_THAT(d.keys("contract"), AnyKey("/B:crash_(signal_6)"));
  EXPECT_THAT(d.finished.out, HasSubstr("crashes or hangs so often"));
  EXPECT_THAT(d.keys("contract"), AnyKey("decode/declares/clause/lds.limit/only-A"));
}

TEST(CliDiff, CtrlCSaysWhatThereIs) {
  const TemporaryFolder folder;
  const std::string hangs = folder / "hangs";
  setenv("W4_HANGS", hangs.c_str(), 1);
  const Finished f = w4check_interrupted(
      {"diff", "builtin", W4_BAD_MODULE, "--device", "gfx1151", "--kernel", "decode"}, hangs);
  unsetenv("W4_HANGS");
  EXPECT_EQ(f.code, 130) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("interrupted: the rest was not looked at"));
}

TEST(CliDiff, ABudgetThatEndsSaysWhatWasLookedAt) {
  const Finished f = diff({"builtin", "builtin", "--device", "gfx1151", "--cases", "100000",
                           "--kernel", "decode", "--section", "bits", "--budget", "4s"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("the budget is over: the rest was not looked at"));
  EXPECT_THAT(f.out, HasSubstr("not complete"));
}

TEST(CliDiffDeclared, SameSeedSameResult) {
  const std::string defect = module_of("bias_row_stride_n");
  Compared a = compare("builtin", defect, {"--cases", "40", "--section", "bits", "--seed", "7"});
  Compared b = compare("builtin", defect, {"--cases", "40", "--section", "bits", "--seed", "7"});
  EXPECT_EQ(a.result.at("sections"), b.result.at("sections"));
  const Compared other =
      compare("builtin", defect, {"--cases", "40", "--section", "bits", "--seed", "8"});
  EXPECT_NE(a.result.at("sections"), other.result.at("sections"));
}

TEST(CliDiff, UsageIsTwo) {
  const auto says = [](std::vector<std::string> words, const char* what) {
    const Finished f = diff(std::move(words));
    EXPECT_EQ(f.code, 2) << f.out << f.err;
    EXPECT_THAT(f.err, HasSubstr(what));
  };
  says({}, "required");
  says({"builtin"}, "required");
  says({"builtin", "/nowhere.so"}, "there is no such file");
  says({"builtin", "a b.so"}, "a path without blanks");
  says({"builtin", W4_SOURCE_DIR "/README.md"}, "B: '");
  says({"builtin", "builtin", "--budget", "10"}, "a number with s, m, h or d");
  says({"builtin", "builtin", "--budget", "0s"}, "--budget: '0s'");
  says({"builtin", "builtin", "--device", "gfx900"}, "legal: gfx1100");
  says({"builtin", "builtin", "--kernel", "decdoe"}, "neither module has 'decdoe'; legal: ");
  says({"builtin", "builtin", "--suite", "smok"}, "there is no suite 'smok'");
  says({"builtin", "builtin", "--section", "routes"},
       "there is no section 'routes'; legal: contract");
  says({"builtin", "builtin", "--cases", "0"}, "--cases: 0; legal: 1 to");
  says({"builtin", "builtin", "--seed", "x"}, "--seed");
  says({"builtin", "builtin", "--accept", "/nowhere.txt"}, "--accept: '/nowhere.txt'");
  says({"builtin", "builtin", "--json", "/nowhere/x.json"}, "--json: cannot write");
  const TemporaryFolder folder;
  const auto with = [&](const char* text) { return folder.write("accept.txt", text); };
  says({"builtin", "builtin", "--accept", with("routes x known\n")},
       "there is no section 'routes'");
  says({"builtin", "builtin", "--accept", with("\n# fine\nroute\n")}, "accept.txt:3: the key");
}

}  // namespace
}  // namespace w4
