// The command as a user calls it: every mistake ends in a message that names it and exit code 2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "campaign/process.h"
#include "well_formed.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;
using testing::w4check_interrupted;
using testing::w4check_writing_to;

// What one mistake must print on stderr, and that it prints nothing else.
void usage(const std::vector<std::string>& arguments, const std::string& word,
           const std::string& input = "") {
  const Finished f = w4check(arguments, input);
  EXPECT_EQ(f.code, 2) << f.out << f.err;
  EXPECT_THAT(f.err, HasSubstr(word));
  EXPECT_EQ(f.out, "");
}

TEST(Cli, RerunOfWrongLines) {
  usage({"rerun", "decode nonsense=1"}, "'nonsense'");
  usage({"rerun", "decode m=x"}, "m='x'");
  usage({"rerun", "decode m=1 m=2"}, "m");
  usage({"rerun", "decode n=99999999999999999999"}, "64 bits");
  usage({"rerun", "decdoe m=1"}, "no kernel 'decdoe'; built in: decode");
  usage({"rerun", "decode m=1 module=/nonexistent.so"}, "/nonexistent.so");
  usage({"rerun", ""}, "empty");
  usage({"rerun", "  "}, "empty");
  usage({"rerun"}, "line");
  usage({"rerun", std::string(5000, 'a')}, "4096");
  usage({"rerun", "\x01\xff\xfe garbage \x7f"}, "rerun");
  usage({"rerun", "decode m=1", "--timeout", "-1"}, "--timeout");
  usage({"rerun", "decode m=1", "--timeout", "soon"}, "--timeout");
  usage({"rerun", "decode m=1 n=16 k=256 g=64 device=host", "--trace"}, "--trace: device=host");
  usage({"rerun", "decode m=1 n=16 k=256 g=64", "--interval", "3"}, "legal: M,N");
  usage({"rerun", "decode m=1 n=16 k=256 g=64", "--interval", "0,16"}, "legal: below n=16");
  usage({"rerun", "decode m=1 n=16 k=256 g=64", "--interval", "1,0"}, "row 1; legal: below m=1");
  usage({"rerun", "hybrid m=0 n=16 k=256 g=64", "--interval", "0,0"}, "row 0; legal: below m=0");
  usage({"rerun", "decode m=1 n=16 k=256 g=64", "--interval", ""}, "--interval: ''; legal: M,N");
  usage({"rerun", "decode m=1 n=16 k=256 g=64 law=repeat", "--interval", "0,0"},
        "legal: law=reference");
}

TEST(Cli, RerunOfGarbageDoesNotSendControlCharactersToTheTerminal) {
  const Finished f = w4check({"rerun", "\x1b[31mred"});
  EXPECT_EQ(f.code, 2);
  EXPECT_EQ(f.err.find('\x1b'), std::string::npos);
}

TEST(Cli, FilesThatAreNotCaseFiles) {
  const TemporaryFolder folder;
  usage({"run", "--cases", folder / "missing"}, "no such file");
  usage({"run", "--cases", folder / "."}, "directory");
  usage({"run", "--cases", folder.write("empty", "")}, "no case");
  usage({"run", "--cases", folder.write("comments", "# only\n\n")}, "no case");
  usage({"run", "--cases",
         folder.write("binary", std::string("\x7f"
                                            "ELF\0\1\2\xff\n",
                                            9))},
        "binary");
  usage({"run", "--cases", folder.write("garbage", "decode m=1\nmixed garbage; here\n")}, "2");
  usage({"run", "--cases", folder.write("kernel", "decode m=1\ndecdoe m=1\n")}, "decdoe");
  usage({"run", "--cases", "-"}, "m='y'", "decode m=y\n");
  usage({"run", "--cases", W4_COMMAND}, "--cases");
}

TEST(Cli, WrongOptionValues) {
  usage({}, "subcommand");
  usage({"frobnicate"}, "frobnicate");
  usage({"run"}, "--suite");
  usage({"audit"}, "subcommand");
  usage({"audit", "everything"}, "everything");
  usage({"run", "--suite", "all"}, "legal: smoke, boundary, models");
  usage({"run", "--suite", "smoke", "--device", "gfx900"}, "gfx1151");
  usage({"run", "--suite", "smoke", "--device", "gfx1151 m=2"}, "--device");
  usage({"run", "--suite", "smoke", "--threads", "x"}, "1 to 64");
  usage({"run", "--suite", "smoke", "--jobs", "x"}, "1 to 256");
  usage({"run", "--suite", "smoke", "--fp", "exact"}, "auto ieee gfx1151 gfx1201");
  usage({"run", "--suite", "smoke", "--checks", "some"}, "bounds");
  usage({"run", "--suite", "smoke", "--jobs", "0"}, "--jobs: 0; legal: 1 to 256");
  usage({"run", "--suite", "smoke", "--jobs", "-3"}, "--jobs");
  usage({"run", "--suite", "smoke", "--jobs", "many"}, "--jobs");
  usage({"run", "--suite", "smoke", "--threads", "0"}, "--threads: 0; legal: 1 to 64");
  usage({"rerun", "--threads", "65", "decode m=1"}, "--threads: 65; legal: 1 to 64");
  usage({"run", "--suite", "smoke", "--seed", "-1"}, "--seed");
  usage({"run", "--suite", "smoke", "--seed", "x"}, "--seed");
  usage({"run", "--suite", "smoke", "--timeout", "nan"}, "--timeout");
  usage({"run", "--suite", "smoke", "--fresh"}, "--db");
  usage({"run", "--suite", "smoke", "--json", "-", "--junit", "-"}, "standard output");
  usage({"run", "--suite", "smoke", "--json", "/nonexistent/x.json"}, "/nonexistent/x.json");
  usage({"run", "--suite", "smoke", "--db", "/nonexistent/x.db"}, "/nonexistent/x.db");
  usage({"list", "everything"}, "legal: kernels");
  usage({"report", "--db", "/nonexistent.db", "--out", "/tmp/x.html"}, "no such store");
  usage({"report", "--out", "/tmp/x.html"}, "--db");
  usage({"explain"}, "w4check explain --help says what is legal");
  usage({"audit", "code", "--nope"}, "w4check audit code --help says what is legal");
}

TEST(Cli, StoreThatIsSomethingElseStaysAsItWas) {
  const TemporaryFolder folder;
  const std::string path = folder.write("notes.txt", "notes that matter\n");
  usage({"run", "--suite", "smoke", "--db", path}, "not an SQLite file");
  EXPECT_EQ(read_file(path), "notes that matter\n");
}

TEST(Cli, HelpNamesEverySubcommandSuiteAndExitCode) {
  const Finished top = w4check({"--help"});
  EXPECT_EQ(top.code, 0);
  for (const char* word : {"list", "run", "rerun", "explain", "shrink", "audit", "report",
                           "--version", "130 interrupted"}) {
    EXPECT_THAT(top.out, HasSubstr(word));
  }
  const Finished run = w4check({"run", "--help"});
  for (const char* word : {"--suite", "--cases", "--device", "--fp", "--checks", "--seed", "--jobs",
                           "--threads", "--timeout", "--fail-fast", "--db", "--fresh", "--json",
                           "--junit", "smoke", "boundary", "models", "Seconds"}) {
    EXPECT_THAT(run.out, HasSubstr(word));
  }
  EXPECT_THAT(w4check({"rerun", "--help"}).out, HasSubstr("--trace"));
  EXPECT_THAT(w4check({"rerun", "--help"}).out, HasSubstr("--interval"));
  EXPECT_EQ(w4check({"report", "--help"}).code, 0);
  EXPECT_THAT(w4check({"--version"}).out, HasSubstr("w4check 0."));
}

TEST(Cli, ListNamesWhatThereIs) {
  const Finished f = w4check({"list"});
  EXPECT_EQ(f.code, 0);
  for (const char* word : {"decode", "gfx1201", "smoke", "ldsrace", "onehot", "k.group", "spad"}) {
    EXPECT_THAT(f.out, HasSubstr(word));
  }
  EXPECT_EQ(w4check({"list", "keys"}).out.find("k.group"), std::string::npos);
  // The instruction table is long: only where it is asked for.
  EXPECT_EQ(f.out.find("v_dot2_f32_f16"), std::string::npos);
  const std::string rows = w4check({"list", "instructions"}).out;
  EXPECT_NE(rows.find("public hardware report", rows.find("v_dot2_f32_f16 ")), std::string::npos);
}

TEST(Cli, RefusalThatTheCaseAsksForIsGreen) {
  const Finished one = w4check({"rerun", "decode m=1 n=64 k=100 g=64"});
  EXPECT_EQ(one.code, 0) << one.out << one.err;
  EXPECT_THAT(one.out, HasSubstr("refused: clause k.group"));
  const Finished several = w4check({"rerun", "decode", "m=1", "n=64", "k=100", "g=64"});
  EXPECT_EQ(several.code, 0);
  EXPECT_EQ(several.out, one.out);
}

// Four cases whose verdicts differ, in a file.
constexpr const char* kCases =
    "# small\n"
    "decode m=1 n=16 k=128\n"
    "decode m=2 n=16 k=128 g=64 zp=packed bias=n\n"
    "decode m=2 n=16 k=100 g=64\n"
    "decode m=1 n=16 k=128\n";

TEST(Cli, RerunSaysWhatAnIntervalIsMadeOf) {
  const Finished f = w4check({"rerun", "decode m=2 n=16 k=256 g=64 act=bf16", "--interval", "1,3"});
  EXPECT_EQ(f.code, 0);
  EXPECT_THAT(f.out, HasSubstr("interval of out[m=1, n=3]: ["));
  EXPECT_THAT(f.out, HasSubstr("sums of chunks"));
  const Finished worst = w4check({"rerun", "decode m=2 n=16 k=256 g=64", "--interval", "worst"});
  EXPECT_THAT(worst.out, HasSubstr("B from y~"));
  // No output, no worst element.
  const Finished refused = w4check({"rerun", "decode m=6 n=16 k=256 g=64", "--interval", "worst"});
  EXPECT_THAT(refused.out, HasSubstr("interval: no output element was compared"));
}

TEST(Cli, JsonIsOneObjectALineAndNothingElse) {
  const TemporaryFolder folder;
  const Finished f = w4check({"run", "--cases", folder.write("cases", kCases), "--json", "-"});
  EXPECT_EQ(f.code, 0) << f.err;
  std::istringstream lines(f.out);
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    const auto j = nlohmann::json::parse(line);
    EXPECT_TRUE(j.at("green").get<bool>()) << line;
    EXPECT_TRUE(j.at("ran").at("build_id").get<std::string>().starts_with("0."));
    ++count;
  }
  EXPECT_EQ(count, 3);  // equal lines are run once
  EXPECT_THAT(f.err, HasSubstr("3 green (2 pass, 1 refused"));
}

TEST(Cli, ClosedOutputGoesIntoNoOtherFile) {
  const TemporaryFolder folder;
  const std::string cases = folder.write("cases", "decode m=1 n=8 k=64 g=32\n");
  const std::string json = folder / "v.json";
  EXPECT_EQ(w4check_writing_to("", {"run", "--cases", cases, "--json", json}).code, 0);
  const std::string written = read_file(json);
  EXPECT_EQ(std::ranges::count(written, '\n'), 1) << written;
  EXPECT_TRUE(nlohmann::json::accept(written)) << written;
}

TEST(Cli, OutputThatCannotBeWrittenIsAHarnessError) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"rerun", "decode m=1 n=8 k=64 g=32"}, {"list"}, {"--version"}}) {
    const Finished f = w4check_writing_to("/dev/full", words);
    EXPECT_EQ(f.code, 3) << words[0];
    EXPECT_THAT(f.err, HasSubstr("cannot write")) << words[0];
  }
}

TEST(Cli, SuitesFilesAndDevicesRepeat) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a", "decode m=1 n=16 k=128\n");
  const std::string b = folder.write("b", "decode m=2 n=16 k=128\n");
  const Finished f = w4check({"run", "--cases", a, "--cases", b, "--device", "gfx1151", "--device",
                              "gfx1201", "--fp", "ieee", "--seed", "18446744073709551615"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("decode on gfx1151: 2 green"));
  EXPECT_THAT(f.out, HasSubstr("decode on gfx1201: 2 green"));
  // An option does not swallow the words after its value.
  usage({"run", "--cases", a, b}, b);
}

TEST(Cli, JUnitAndReportAreWellFormed) {
  const TemporaryFolder folder;
  const std::string junit = folder / "r.xml", db = folder / "r.db";
  const Finished f = w4check({"run", "--cases", folder.write("cases", kCases), "--junit", junit,
                              "--db", db, "--jobs", "2"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_EQ(testing::markup_error(read_file(junit)), "");
  EXPECT_THAT(read_file(junit), HasSubstr("tests=\"3\" failures=\"0\""));
  EXPECT_EQ(w4check({"report", "--db", db, "--out", folder / "new/sub"}).code, 0);
  const std::string page = read_file(folder / "new/sub/index.html");
  EXPECT_EQ(testing::markup_error(page, {"meta", "link"}), "");
  EXPECT_THAT(page, HasSubstr("Safe to ship"));
  usage({"report", "--db", db, "--out", folder / "x.html", "--run", "9"}, "no such run");
}

TEST(Cli, SecondRunTakesOverAndAddsOnlyWhatIsNew) {
  const TemporaryFolder folder;
  const std::string db = folder / "r.db";
  const std::string cases = folder.write("cases", kCases);
  EXPECT_EQ(w4check({"run", "--cases", cases, "--db", db}).code, 0);
  const std::string more = folder.write("more", std::string(kCases) + "decode m=3 n=16 k=128\n");
  const Finished again = w4check({"run", "--cases", more, "--db", db});
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.err, HasSubstr("3 of 4 cases already have a verdict"));
  EXPECT_THAT(again.out, HasSubstr("4 green"));
  EXPECT_THAT(again.out, HasSubstr("3 of them from an earlier run"));
  const Finished fresh = w4check({"run", "--cases", more, "--db", db, "--fresh"});
  EXPECT_EQ(fresh.err.find("already"), std::string::npos);
  EXPECT_THAT(w4check({"report", "--db", db, "--out", folder / "x.html"}).out,
              HasSubstr("run 3: Safe to ship"));
  EXPECT_THAT(read_file(folder / "report.json"), HasSubstr("\"green\":4"));
}

TEST(Cli, InterruptKeepsWhatIsFinishedAndTheNextRunContinues) {
  const TemporaryFolder folder;
  const std::string db = folder / "r.db";
  const std::string json = folder / "r.jsonl";
  const std::vector<std::string> command{"run",    "--suite", "smoke",  "--db", db,
                                         "--jobs", "2",       "--json", json};
  const Finished f = w4check_interrupted(command, json);
  EXPECT_EQ(f.code, 130) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("interrupted after"));
  EXPECT_THAT(f.out, HasSubstr("continues from"));
  // Its page must not call an unfinished run safe.
  EXPECT_EQ(w4check({"report", "--db", db, "--out", folder / "x.html"}).code, 0);
  EXPECT_THAT(read_file(folder / "x.html"), HasSubstr("Not finished"));
  const Finished next = w4check(command);
  EXPECT_EQ(next.code, 0) << next.out << next.err;
  EXPECT_THAT(next.err, HasSubstr("already have a verdict of this build"));
}

}  // namespace
}  // namespace w4
