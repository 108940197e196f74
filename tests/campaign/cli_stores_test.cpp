// `w4check migrate`, `merge` and `export` on stores that `w4check run` wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "campaign/process.h"
#include "results/samples.h"
#include "results/version_1.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;

const std::string kLine = "decode m=1 n=16 k=64 g=32";
const std::string kOther = "decode m=2 n=16 k=64 g=32";

std::string store_of(const TemporaryFolder& folder, const std::string& name,
                     const std::string& line) {
  const std::string db = folder / name;
  const std::string cases = folder.write(name + ".cases", line + "\n");
  const Finished f = w4check({"run", "--cases", cases, "--db", db});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  return db;
}

void usage(const std::vector<std::string>& words, const std::string& says) {
  const Finished f = w4check(words);
  EXPECT_EQ(f.code, 2) << f.out << f.err;
  EXPECT_THAT(f.err, HasSubstr(says));
}

TEST(Stores, MergedAndExported) {
  const TemporaryFolder folder;
  const std::string a = store_of(folder, "a.db", kLine), b = store_of(folder, "b.db", kOther);
  const std::string ab = folder / "ab.db", ba = folder / "ba.db";
  const Finished merged = w4check({"merge", a, b, "-o", ab});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("2 runs, 2 verdicts, 2 of them new"));
  EXPECT_THAT(w4check({"merge", a, "-o", ab}).out, HasSubstr("0 of them new"));
  ASSERT_EQ(w4check({"merge", b, a, "--out", ba}).code, 0);
  const Finished one = w4check({"export", ab, "--json", "-"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, w4check({"export", ba, "--json", "-"}).out);
  std::istringstream lines(one.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(nlohmann::json::parse(line)["kind"], "pass");
  }
  EXPECT_EQ(count, 2);
  const Finished files = w4check(
      {"export", a, "--json", folder / "a.jsonl", "--junit", folder / "a.xml", "--run", "1"});
  EXPECT_EQ(files.code, 0) << files.err;
  EXPECT_THAT(read_file(folder / "a.jsonl"), HasSubstr("a.db.cases\""));
  EXPECT_THAT(read_file(folder / "a.xml"), HasSubstr("tests=\"1\" failures=\"0\""));
}

TEST(Stores, UsageErrorsNameWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string a = store_of(folder, "a.db", kLine);
  const std::string text = folder.write("text.db", "not a store\n");
  usage({"merge", a, folder / "none.db", "-o", folder / "all.db"}, "none.db");
  usage({"merge", a, "-o", a}, "is an input");
  usage({"merge", a, text, "-o", folder / "all.db"}, "not an SQLite file");
  usage({"merge", a}, "--out");
  usage({"export", a}, "nothing to write");
  usage({"export", a, "--json", "-", "--junit", "-"}, "two files");
  usage({"export", a, "--json", "-", "--run", "9"}, "--run: 9");
  usage({"export", text, "--json", "-"}, "not an SQLite file");
  usage({"export", a, "--json", folder / "no" + "/such.jsonl"}, "--json: cannot write");
  usage({"migrate", folder / "none.db"}, "none.db");
  usage({"migrate", text}, "not an SQLite file");
  usage({"migrate", folder.write("empty.db", "")}, "empty.db': it is empty");
  usage({"merge", folder / "empty.db", "-o", folder / "all.db"},
        "empty.db': there is no such store");
  usage({"merge", a, "-o", ""}, "the output has no name");
  EXPECT_EQ(w4check({"export", a, "--json", "/dev/full"}).code, 3);
}

// Text written over a store would be its end.
TEST(Stores, NothingIsWrittenOverTheStore) {
  const TemporaryFolder folder;
  const std::string a = store_of(folder, "a.db", kLine), lines = a + ".cases";
  const std::string before = read_file(a);
  const std::string link = folder / "link";
  std::filesystem::create_symlink(a, link);
  for (const char* option : {"--json", "--junit"}) {
    for (const std::string& file : {a, link, a + "-wal"}) {
      const std::string says = std::string(option) + ": '" + file + "' is the store '" + a + "'";
      usage({"export", a, option, file}, says);
      usage({"run", "--cases", lines, "--db", a, option, file}, says);
    }
  }
  usage({"run", "--cases", lines, "--json", folder / "x", "--junit", folder / "x"}, "two files");
  EXPECT_EQ(read_file(a), before);
}

TEST(Stores, AnOlderStoreIsBroughtUp) {
  const TemporaryFolder folder;
  const std::string old = folder / "old.db";
  {
    testing::Version1 store(old);
    store.run(1, "w4check run", "b1", 1, "2026-01-31 12:30:00", 1);
    store.verdict(1, testing::sample_verdicts().back());
    store.entry(1, 1, "smoke", false);
  }
  usage({"report", "--db", old, "--out", folder / "x.html"}, "w4check migrate " + old);
  usage({"merge", old, "-o", folder / "all.db"}, "w4check migrate " + old);
  EXPECT_EQ(w4check({"migrate", old}).code, 0);
  EXPECT_EQ(w4check({"migrate", old}).code, 0);
  EXPECT_EQ(w4check({"report", "--db", old, "--out", folder / "x.html"}).code, 0);
  EXPECT_THAT(w4check({"export", old, "--json", "-"}).out, HasSubstr("\"suite\":\"smoke\""));
}

}  // namespace
}  // namespace w4
