// `w4check report --analyse`: whatever becomes of the analysis, the report is written, and each
// failure says what was found out or why nothing was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

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

class ReportAnalyses : public ::testing::Test {
 protected:
  // A run of this one line.
  void run(const std::string& line) {
    const std::string cases = folder_.write("one.cases", line + "\n");
    const Finished f = w4check({"run", "--cases", cases, "--db", db_, "--timeout", "2"});
    ASSERT_EQ(f.code, 1) << f.out << f.err;
  }
  Finished report(const std::string& seconds) {
    return w4check({"report", "--db", db_, "--out", out_, "--analyse", seconds});
  }
  // The only failure of the report.
  json failure() {
    const json all = json::parse(read_file(out_ + "/report.json")).at("failures");
    EXPECT_EQ(all.size(), 1u);
    return all.at(0);
  }
  void execute(const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(db_.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    sqlite3_close(db);
  }

  TemporaryFolder folder_;
  const std::string db_ = folder_ / "runs.db", out_ = folder_ / "report";
  const std::string aborts_ = "decode m=1 n=136 k=1024 g=64 bias=n module=" W4_BAD_MODULE;
  const std::string hangs_ = "decode m=2 n=136 k=1024 g=64 bias=n module=" W4_BAD_MODULE;
};

TEST_F(ReportAnalyses, RefusesTimesThatAreNone) {
  for (const std::string& bad : {"-1", "100001", "nan", "inf", "soon"}) {
    const Finished f = report(bad);
    EXPECT_EQ(f.code, 2) << bad << f.out;
    EXPECT_THAT(f.err, HasSubstr("--analyse")) << bad;
  }
}

TEST_F(ReportAnalyses, NoneIsSaidOnThePage) {
  run(aborts_);
  ASSERT_EQ(report("0").code, 0);
  EXPECT_EQ(failure().at("why"), "the report was written with --analyse 0");
  EXPECT_TRUE(failure().at("depiction").is_null());
}

TEST_F(ReportAnalyses, WorkersThatDieAreSaidAndTheReportIsWritten) {
  run(aborts_);
  const Finished f = report("20");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_THAT(failure().at("why").get<std::string>(),
              HasSubstr("the worker that was to depict it ended by signal 6"));
  // It is not tried again and again.
  EXPECT_THAT(report("20").err, Not(HasSubstr("analysing failures")));
}

TEST_F(ReportAnalyses, CtrlCEndsTheAnalysisAndTheReportIsWritten) {
  run(hangs_);
  const std::string hangs = folder_ / "hangs";
  setenv("W4_HANGS", hangs.c_str(), 1);
  const Finished f =
      w4check_interrupted({"report", "--db", db_, "--out", out_, "--analyse", "300"}, hangs);
  unsetenv("W4_HANGS");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(failure().at("why"), "the analysis was interrupted");
  EXPECT_FALSE(read_file(out_ + "/index.html").empty());
}

TEST_F(ReportAnalyses, ALineThatIsGreenNowSaysSo) {
  run(aborts_);
  execute("UPDATE failure SET first_line = 'decode m=1 n=16 k=64 g=32', smallest_line = ''");
  ASSERT_EQ(report("20").code, 0);
  EXPECT_TRUE(failure().at("green"));
  EXPECT_THAT(failure().at("why").get<std::string>(), HasSubstr("green when it runs again"));
}

// Smaller lines of this failure are what missing sums of lanes would make of them too.
TEST_F(ReportAnalyses, WhatExplainsOnlyTheSmallestLineIsNotNamed) {
  run("moe m=3 n=1 k=64 g=64 cus=1 experts=5 topk=3 blockm=3 route=single rows=contiguous "
      "fill=constant seed=24811 sched=random:17 fp=ieee module=" W4_EXPERTS_MODULE);
  ASSERT_EQ(report("60").code, 0);
  const json e = failure().at("explanation");
  ASSERT_EQ(e.at("hypotheses").size(), 1u) << e;
  EXPECT_EQ(e.at("hypotheses").at(0).at("name"), "moe.expert");
  EXPECT_EQ(e.at("certainty"), "exact");
  EXPECT_THAT(e.at("how").get<std::string>(), HasSubstr("smaller ones fit"));
}

// The store is the user's whom this process is not: nobody's, where root runs the test.
TEST_F(ReportAnalyses, AStoreThatCannotBeWrittenToIsReported) {
  run(aborts_);
  namespace fs = std::filesystem;
  const std::string store = folder_ / "kept";
  fs::create_directory(store);
  fs::rename(db_, store + "/runs.db");
  fs::create_directory(out_);
  fs::permissions(fs::path(out_), fs::perms::all);
  fs::permissions(fs::path(store).parent_path(), fs::perms::all);
  fs::permissions(fs::path(store + "/runs.db"), fs::perms(0444));
  fs::permissions(fs::path(store), fs::perms::all);
  const std::string log = out_ + "/log";
  const std::string nobody = geteuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : "";
  const std::string command = nobody + W4_COMMAND + " report --db " + store + "/runs.db --out " +
                              out_ + " --analyse 20 >" + log + " 2>&1";
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 126 || code == 127)
    GTEST_SKIP() << "no one else can run the command here: " << read_file(log);
  EXPECT_EQ(code, 0) << read_file(log);
  EXPECT_THAT(read_file(log), HasSubstr("note: failures are not analysed: "));
  EXPECT_NE(failure().at("why"), "");
  EXPECT_TRUE(failure().at("depiction").is_null());
}

}  // namespace
}  // namespace w4
