// `w4check audit selection`: green on this build, red with the culprit's name on what is planted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/process.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::w4check;

TEST(CliAuditSelection, TheBuiltInTableIsProvedAndReads) {
  const Finished f = w4check({"audit", "selection"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  for (const char* entry : {"RDNA3W4A16", "RDNAHybridW4A16", "TritonW4A16", "Conch", "Exllama"}) {
    EXPECT_THAT(f.out, HasSubstr(entry));
  }
  EXPECT_THAT(f.out, HasSubstr("rule n_octets"));
  EXPECT_THAT(f.out, HasSubstr("zp.octet"));
  EXPECT_THAT(f.out, HasSubstr("hybrid: "));
  EXPECT_THAT(f.out, HasSubstr("nothing wrong"));
}

constexpr const char* kTable = R"({
  "version": 1,
  "entries": [
    {"name": "Wide", "rules": [{"rule": "arch", "legal": ["gfx11*"]},
                               {"rule": "group", "legal": [32, 64, 128]}]},
    {"name": "Narrow", "rules": [{"rule": "arch", "legal": ["gfx1151"]},
                                 {"rule": "group", "legal": [64]}]},
    {"name": "Rest", "rules": []}
  ]@@
})";

std::string table(const std::string& more) {
  std::string text = kTable;
  text.replace(text.find("@@"), 2, more);
  return text;
}

TEST(CliAuditSelection, AShadowedEntryIsNamedWithTheOneThatShadowsIt) {
  const TemporaryFolder folder;
  const Finished f =
      w4check({"audit", "selection", "--table", folder.write("dump.json", table(""))});
  EXPECT_EQ(f.code, 1) << f.err;
  EXPECT_THAT(f.out, HasSubstr("wrong: Narrow wins no layer: shadowed by Wide"));
  EXPECT_EQ(f.out.find("wrong: Rest"), std::string::npos);
  // Without the one above it, it wins.
  const Finished without =
      w4check({"audit", "selection", "--table",
               folder.write("less.json", table(", \"disabled\": [\"Wide\"]"))});
  EXPECT_EQ(without.code, 0) << without.out;
}

TEST(CliAuditSelection, AGoldenLayerThatGoesElsewhereIsNamed) {
  const TemporaryFolder folder;
  const std::string layer =
      R"({"arch": "gfx1151", "type": "uint4", "act": "f16", "g": 64, "k": 512, "n": 512, "winner": )";
  const auto run = [&](const std::string& winner) {
    return w4check({"audit", "selection", "--table",
                    folder.write("t.json", table(", \"disabled\": [\"Narrow\"], \"golden\": [" +
                                                 layer + winner + "}]"))});
  };
  EXPECT_EQ(run("\"Wide\"").code, 0);
  const Finished f = run("\"Rest\"");
  EXPECT_EQ(f.code, 1);
  EXPECT_THAT(f.out, HasSubstr("golden layer gfx1151 uint4 f16 g=64 k=512 n=512: Wide wins, Rest "
                               "is expected"));
}

TEST(CliAuditSelection, WrongTablesAreSaidWithLineAndColumn) {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& text) {
    const Finished f = w4check({"audit", "selection", "--table", folder.write("t.json", text)});
    EXPECT_EQ(f.code, 2) << f.out;
    return f.err;
  };
  EXPECT_THAT(said("{\n \"version\": 2}"), HasSubstr("t.json:2:13: version: 2; legal: 1"));
  EXPECT_THAT(said("{\n"), HasSubstr("t.json:2:1: "));
  EXPECT_THAT(said("[]"), HasSubstr("t.json:1:1: the table is an array; legal: an object"));
  EXPECT_THAT(said("{\"version\": 1, \"entries\": []}"), HasSubstr("entries: none"));
  EXPECT_THAT(said(table(", \"disabled\": [\"X\"]")),
              HasSubstr("disabled: 'X' is no entry; legal: Wide, Narrow, Rest"));
  EXPECT_THAT(said(table(", \"more\": 1")), HasSubstr("the table has no key 'more'"));
  EXPECT_THAT(said(R"({"version": 1, "entries": [{"name": "A", "rules": [{"rule": "colour"}]}]})"),
              HasSubstr("rule: 'colour'; legal: arch, type"));
  EXPECT_THAT(said(R"({"version": 1, "entries": [{"name": "A", "rules": [{"rule": "group"}]}]})"),
              HasSubstr("the key 'legal' is missing"));
  EXPECT_THAT(said(R"({"version": 1, "entries": [{"name": "A", "rules": [
                   {"rule": "k_multiple", "legal": [0]}]}]})"),
              HasSubstr("t.json:2:53: legal: 0 for rule k_multiple"));
  EXPECT_EQ(w4check({"audit", "selection", "--table", "/nonexistent.json"}).code, 2);
  const auto golden = [&](const std::string& of) {
    return said(table(R"(, "golden": [{"arch": "gfx1151", "type": "uint4", "act": "f16", )" + of +
                      R"(, "winner": null}])"));
  };
  EXPECT_THAT(golden(R"("g": 0, "k": 1, "n": 1)"), HasSubstr("g: 0; legal: at least 1, or -1"));
  EXPECT_THAT(golden(R"("g": -1, "k": 0, "n": 1)"), HasSubstr("k: 0; legal: at least 1"));
  EXPECT_THAT(golden(R"("g": -1, "k": 1, "n": -8)"), HasSubstr("n: -8; legal: at least 1"));
}

TEST(CliAuditSelection, AMissingInstantiationIsNamed) {
  const Finished f = w4check({"audit", "selection", "--module", W4_PLANTED_MODULE});
  EXPECT_EQ(f.code, 1) << f.err;
  EXPECT_THAT(f.out, HasSubstr("wrong: decode"));
  EXPECT_THAT(f.out, HasSubstr("has no kernel w4_decode_small_m9_y9_u9_g64_f16_symmetric"));
}

}  // namespace
}  // namespace w4
