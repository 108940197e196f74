// `w4check report` of files that are no store, or no longer one: a message that names the file,
// exit 2, and the report that was there before stays as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "campaign/process.h"
#include "results/store.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;
using testing::Finished;
using ::testing::HasSubstr;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;

class ReportOfBadStores : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string cases = folder_.write("one.cases", "decode m=1 n=16 k=64 g=32\n");
    ASSERT_EQ(w4check({"run", "--cases", cases, "--db", db_}).code, 0);
    ASSERT_EQ(w4check({"report", "--db", db_, "--out", out_}).code, 0);
    page_ = read_file(out_ + "/index.html");
    data_ = read_file(out_ + "/report.json");
    ASSERT_FALSE(page_.empty());
    ASSERT_FALSE(data_.empty());
  }

  void refuses(const std::string& file, std::string_view says) {
    const Finished f = w4check({"report", "--db", file, "--out", out_});
    EXPECT_EQ(f.code, 2) << f.out << f.err;
    EXPECT_THAT(f.err, HasSubstr("--db: "));
    EXPECT_THAT(f.err, HasSubstr(file));
    EXPECT_THAT(f.err, HasSubstr(std::string(says)));
    EXPECT_EQ(f.out, "");
    EXPECT_EQ(read_file(out_ + "/index.html"), page_);
    EXPECT_EQ(read_file(out_ + "/report.json"), data_);
    EXPECT_EQ(std::distance(fs::directory_iterator(out_), fs::directory_iterator{}), 2);
    // Nor is a folder made for what is never written.
    w4check({"report", "--db", file, "--out", folder_ / "new"});
    EXPECT_FALSE(fs::exists(folder_ / "new"));
  }
  void execute(const std::string& file, const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    sqlite3_close(db);
  }

  TemporaryFolder folder_;
  const std::string db_ = folder_ / "runs.db", out_ = folder_ / "report";
  std::string page_, data_;
};

TEST_F(ReportOfBadStores, NoStoreAtAll) {
  refuses(folder_ / "none.db", "there is no such store");
  refuses(folder_.write("empty.db", ""), "there is no such store");
  refuses(folder_.write("text.db", "not a store\n"), "not an SQLite file");
  fs::create_directory(folder_ / "folder.db");
  refuses(folder_ / "folder.db", "folder");
}

TEST_F(ReportOfBadStores, AnotherProgramsDatabase) {
  const std::string file = folder_ / "other.db";
  execute(file, "CREATE TABLE verdict(id INTEGER PRIMARY KEY, line TEXT)");
  refuses(file, "not a store of w4check");
}

TEST_F(ReportOfBadStores, ANewerSchema) {
  const std::string file = folder_ / "newer.db";
  fs::copy_file(db_, file);
  execute(file, "PRAGMA user_version=" + std::to_string(Store::kSchemaVersion + 1));
  refuses(file, std::to_string(Store::kSchemaVersion + 1));
}

TEST_F(ReportOfBadStores, CutShort) {
  const std::string whole = read_file(db_);
  for (const size_t part : {2, 3, 10}) {
    refuses(folder_.write("cut.db", whole.substr(0, whole.size() / part)),
            "it is damaged or cut short");
  }
  // Cut within the header of the file.
  refuses(folder_.write("cut.db", whole.substr(0, 50)), "not a store of w4check");
}

// A page of the tables overwritten: seen when it is opened or read, not shown as if it were whole.
TEST_F(ReportOfBadStores, Overwritten) {
  std::string bytes = read_file(db_);
  const size_t at = bytes.find("decode m=1 n=16") == std::string::npos ? bytes.find("decode")
                                                                       : bytes.find("decode m=1");
  ASSERT_NE(at, std::string::npos);
  const size_t page = at / 4096 * 4096;
  for (size_t i = page; i < page + 4096; ++i) bytes[i] = static_cast<char>(i * 31);
  refuses(folder_.write("hurt.db", bytes), "it is damaged");
}

TEST_F(ReportOfBadStores, ARunThatIsNotThere) {
  const Finished f = w4check({"report", "--db", db_, "--out", out_, "--run", "7"});
  EXPECT_EQ(f.code, 2);
  EXPECT_THAT(f.err, HasSubstr("--run: 7"));
  EXPECT_EQ(read_file(out_ + "/index.html"), page_);
}

// Found broken: the page was written over the store that it was made from.
TEST_F(ReportOfBadStores, OntoTheStoreItself) {
  const std::string page = folder_ / "runs.html", data = folder_ / "report.json";
  for (const std::string& file : {page, data}) {
    fs::copy_file(db_, file);
    const std::string before = read_file(file);
    const Finished f = w4check({"report", "--db", file, "--out", folder_ / "runs.html"});
    EXPECT_EQ(f.code, 2) << f.out << f.err;
    EXPECT_THAT(f.err, HasSubstr("--out: '" + file + "' is a file of the store of --db"));
    EXPECT_EQ(read_file(file), before);
    fs::remove(file);
  }
  fs::create_symlink(db_, data);
  EXPECT_EQ(w4check({"report", "--db", db_, "--out", page}).code, 2);
  EXPECT_TRUE(Store::open(db_, Store::Mode::read));
}

// Nothing is left beside what was there, and what is wrong is said before any work.
TEST_F(ReportOfBadStores, OutThatCannotBe) {
  const auto refused = [&](const std::string& out, const std::string& says) {
    const Finished f = w4check({"report", "--db", db_, "--out", out});
    EXPECT_EQ(f.code, 2) << f.out << f.err;
    EXPECT_THAT(f.err, HasSubstr("--out: "));
    EXPECT_THAT(f.err, HasSubstr(says));
  };
  refused("", "legal: a folder or FILE.html");
  refused(db_, "cannot make '" + db_ + "'");
  refused("/proc/report", "/proc/report");
  const std::string taken = folder_ / "taken";
  fs::create_directories(taken + "/index.html");
  refused(taken, taken + "/index.html' is a folder");
  EXPECT_EQ(std::distance(fs::directory_iterator(taken), fs::directory_iterator{}), 1);
}

// Found broken: half a page stayed beside its place. The file size stands for a full disk.
TEST_F(ReportOfBadStores, NoSpaceForThePage) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{data_.size() + 100'000, before.rlim_max};
  ASSERT_GT(page_.size(), small.rlim_cur);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto signal = std::signal(SIGXFSZ, SIG_IGN);
  const Finished f = w4check({"report", "--db", db_, "--out", out_});
  std::signal(SIGXFSZ, signal);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(f.code, 3) << f.out << f.err;
  EXPECT_THAT(f.err, HasSubstr("--out: cannot write '" + out_ + "/index.html"));
  EXPECT_EQ(read_file(out_ + "/index.html"), page_);
  EXPECT_EQ(read_file(out_ + "/report.json"), data_);
  EXPECT_EQ(std::distance(fs::directory_iterator(out_), fs::directory_iterator{}), 2);
}

// Several at once into one folder: each is whole, and one of them is what stays.
TEST_F(ReportOfBadStores, SeveralAtOnce) {
  std::vector<std::thread> all;
  std::atomic<int> written = 0;
  for (int i = 0; i < 4; ++i) {
    all.emplace_back([&] { written += w4check({"report", "--db", db_, "--out", out_}).code == 0; });
  }
  for (std::thread& t : all) t.join();
  EXPECT_EQ(written, 4);
  EXPECT_TRUE(nlohmann::json::accept(read_file(out_ + "/report.json")));
  EXPECT_THAT(read_file(out_ + "/index.html"), ::testing::EndsWith("</html>\n"));
  EXPECT_EQ(std::distance(fs::directory_iterator(out_), fs::directory_iterator{}), 2);
}

TEST_F(ReportOfBadStores, NumbersThatAreNone) {
  for (const char* run : {"0", "-1", "99999"}) {
    const Finished f = w4check({"report", "--db", db_, "--out", out_, "--run", run});
    EXPECT_EQ(f.code, 2) << run;
    EXPECT_THAT(f.err, HasSubstr(std::string("--run: ") + run));
    EXPECT_THAT(f.err, HasSubstr("legal: 1"));
  }
  for (const char* seconds : {"nan", "-1", "1e99", "inf"}) {
    const Finished f = w4check({"report", "--db", db_, "--out", out_, "--analyse", seconds});
    EXPECT_EQ(f.code, 2) << seconds;
    EXPECT_THAT(f.err, HasSubstr("--analyse: "));
    EXPECT_THAT(f.err, HasSubstr("legal: 0 (none) to 100000 seconds"));
  }
  for (const std::string option : {"--run", "--analyse"}) {
    const Finished f = w4check({"report", "--db", db_, "--out", out_, option, "text"});
    EXPECT_EQ(f.code, 2) << option;
    EXPECT_THAT(f.err, HasSubstr(option + " = text"));
  }
  EXPECT_EQ(read_file(out_ + "/index.html"), page_);
}

}  // namespace
}  // namespace w4
