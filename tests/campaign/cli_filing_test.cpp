// --db of commands that file a document: what is read back is what --json says, and a store that is
// none is refused before the work begins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "campaign/process.h"
#include "results/documents.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using w4::testing::Finished;
using w4::testing::read_file;
using w4::testing::TemporaryFolder;
using w4::testing::w4check;

std::vector<StoredDocument> filed(const std::string& db, std::string_view kind) {
  auto store = Store::open(db, Store::Mode::read);
  EXPECT_TRUE(store) << store.error().text;
  if (!store) return {};
  auto all = documents(*store, kind);
  EXPECT_TRUE(all) << all.error().text;
  return all ? *all : std::vector<StoredDocument>{};
}

struct Command {
  std::string kind;
  std::vector<std::string> words;
  std::string name;
};

std::vector<Command> commands() {
  return {
      {"figures",
       {"audit", "figures", "--case", "decode n=8 k=512 cus=1"},
       "decode n=8 k=512 cus=1"},
      {"code",
       {"audit", "code", "--kernel", "moe_prefill", "--arch", "gfx1151"},
       "this w4check, only moe_prefill, only gfx1151"},
      {"bench",
       {"bench", "--device", "gfx1151", "--shapes", "64x256", "--m", "1"},
       "64x256 on gfx1151, m 1, g 128, f16, zp packed"},
      {"diff",
       {"diff", "builtin", "builtin", "--kernel", "decode", "--section", "route", "--cases", "10"},
       "builtin and builtin; kernel decode; section route"}};
}

TEST(CliFiling, WhatIsReadBackIsTheJson) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  for (const Command& c : commands()) {
    const std::string file = folder / (c.kind + ".json");
    std::vector<std::string> words = c.words;
    words.insert(words.end(), {"--json", file, "--db", db});
    const Finished f = w4check(words);
    EXPECT_EQ(f.code, 0) << f.out << f.err;
    EXPECT_THAT(f.err, HasSubstr("filed in "));
    const auto found = filed(db, c.kind);
    ASSERT_EQ(found.size(), 1u) << c.kind;
    EXPECT_EQ(found[0].name, c.name);
    EXPECT_FALSE(found[0].build_id.empty());
    const json written = json::parse(read_file(file));
    EXPECT_FALSE(written.empty());
    EXPECT_EQ(json::parse(found[0].json), written) << c.kind;
  }
}

// Asked again, the document is replaced; asked otherwise, it stands beside it.
TEST(CliFiling, TheSameQuestionReplaces) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  std::vector<std::string> words = {"audit", "code", "--kernel", "moe_prefill", "--db", db};
  EXPECT_EQ(w4check(words).code, 0);
  EXPECT_EQ(w4check(words).code, 0);
  EXPECT_EQ(filed(db, "code").size(), 1u);
  words.insert(words.end(), {"--arch", "gfx1201"});
  EXPECT_EQ(w4check(words).code, 0);
  EXPECT_EQ(filed(db, "code").size(), 2u);
}

TEST(CliFiling, AFileThatIsNoStoreIsRefusedAndLeftAlone) {
  const TemporaryFolder folder;
  const std::string text = "this is no SQLite file, but somebody's notes";
  const std::string file = folder.write("notes.txt", text);
  for (const Command& c : commands()) {
    std::vector<std::string> words = c.words;
    words.insert(words.end(), {"--db", file});
    const Finished f = w4check(words);
    EXPECT_EQ(f.code, 2) << f.out << f.err;
    EXPECT_THAT(f.err, HasSubstr("--db: "));
    EXPECT_THAT(f.err, HasSubstr("notes.txt"));
    EXPECT_EQ(f.out, "") << "something ran first";
    EXPECT_EQ(read_file(file), text);
  }
}

TEST(CliFiling, JsonThatWouldDestroyTheStoreIsRefused) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  EXPECT_EQ(w4check({"audit", "code", "--kernel", "moe_prefill", "--db", db}).code, 0);
  const Finished f =
      w4check({"audit", "code", "--kernel", "moe_prefill", "--db", db, "--json", db});
  EXPECT_EQ(f.code, 2) << f.err;
  EXPECT_THAT(f.err, HasSubstr("--json"));
  EXPECT_EQ(filed(db, "code").size(), 1u);
}

}  // namespace
}  // namespace w4
