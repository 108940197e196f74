// `w4check report` of files that are no store, or no longer one: a message that names the file,
// exit 2, and the report that was there before stays as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>

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

}  // namespace
}  // namespace w4
