// The pages of documents: which are shown, what is said of them, and that no document breaks the
// report, whatever somebody filed.
#include "results/documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/place.h"
#include "store_of.h"

namespace w4 {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::StoreOf;

json kill(const char* oracle, double seconds) {
  return {{"oracle", oracle},
          {"what", "mismatch"},
          {"cases", 3},
          {"seconds", seconds},
          {"line", "decode m=2 module=/a/b'c.so"},
          {"text", "wrong"}};
}

json run(const json& kills, int64_t not_counted = 0) {
  json out = {{"generator", "random"},      {"cases", 7},    {"seconds", 1.5}, {"mistrusted", 0},
              {"not_counted", not_counted}, {"kills", kills}};
  if (not_counted > 0) out["first_not_counted"] = "<b>accepted</b>";
  return out;
}

json mutant(const char* name, bool killed, const json& kills) {
  return {{"mutant", name},    {"family", "groups"}, {"says", "It is wrong"},
          {"covers", {"B01"}}, {"killed", killed},   {"runs", {run(kills, killed ? 0 : 2)}}};
}

json zoo() {
  return {
      {"generators", {"random"}},
      {"oracles",
       {{{"name", "interval"}, {"says", "outside"}}, {{"name", "laws"}, {"says", "a relation"}}}},
      {"only", nullptr},
      {"seconds", 20},
      {"seed", 1},
      {"mutants",
       {mutant("groups/a", true, {kill("interval", 0.5), kill("laws", 1)}),
        mutant("groups/b", true, json::array({kill("interval", 2)})),
        mutant("groups/c", false, json::array())}},
      {"clean", {{{"clean", "decode"}, {"green", true}, {"runs", {run(json::array())}}}}}};
}

json diff() {
  return {{"a", "old.so"},
          {"b", "new.so"},
          {"differences", 1},
          {"seconds", 2},
          {"budget_over", true},
          {"interrupted", false},
          {"stale", json::array()},
          {"sections",
           {{{"section", "route"},
             {"done", 3},
             {"planned", 9},
             {"unit", "calls"},
             {"complete", false},
             {"accepted", 4},
             {"notes", {"a note"}},
             {"header", {"kernel", "A", "B"}},
             {"differences",
              {{{"cells", {{"B", "g128"}, {"A", "g64"}, {"kernel", "decode"}}},
                {"below", {"A: w4check rerun 'decode'"}},
                {"keys", {"decode/A:g64"}}}}}}}}};
}

json figures() {
  return {{{"line", "decode n=8 k=512 device=gfx1201"},
           {"green", true},
           {"idle", false},
           {"verdict", ""},
           {"instantiation", "small m1"},
           {"figures",
            {{"instructions_per_weight", 0.25},
             {"bytes_over_least", 1.5},
             {"lines_over_least", 1},
             {"footprint_over_least", 1},
             {"lds_cycles_over_least", 2},
             {"barriers_per_wave", 1},
             {"dot2_over_least", 1},
             {"wmma_over_least", 0}}}}};
}

json range() { return {{"least", 1}, {"most", 2}}; }

json code() {
  return {{"rows",
           {{{"kernel", "decode"},
             {"arch", "gfx1151"},
             {"objects", 6},
             {"kernels", 558},
             {"lds_bytes", range()},
             {"dynamic_lds_bytes", nullptr},
             {"vgprs", range()},
             {"sgprs", range()},
             {"vgpr_spills", 0},
             {"sgpr_spills", 0},
             {"scratch_bytes", 0},
             {"waves_per_simd", 6},
             {"instructions",
              {{"dot2", range()},
               {"wmma", range()},
               {"global_load_b128", range()},
               {"ds_load_b128", range()}}}}}},
          {"wrong", {"gfx1151 decode: spills"}}};
}

class Documents : public ::testing::Test {
 protected:
  void file(const char* kind, const char* name, const json& value, const char* build = "b1",
            const char* at = "2026-01-31 12:00:00") {
    const auto filed = file_document(
        of_.store(),
        {.kind = kind, .name = name, .build_id = build, .at = at, .json = value.dump()});
    ASSERT_TRUE(filed) << filed.error().text;
  }
  json document() { return of_.document(); }

  StoreOf of_{{}};
};

TEST_F(Documents, NothingFiledIsNull) {
  const json d = document();
  for (const char* member : {"zoo", "kernels", "diff", "bench"})
    EXPECT_TRUE(d.at(member).is_null());
  EXPECT_TRUE(d.at("summary").at("zoo").is_null());
}

TEST_F(Documents, TheZooIsCounted) {
  file("zoo", "all mutants", zoo());
  const json d = document();
  const json& h = d.at("zoo").at("hunts").at(0);
  EXPECT_EQ(h.at("killed"), 2);
  EXPECT_EQ(h.at("total"), 3);
  EXPECT_EQ(h.at("oracles").at(0),
            (json{{"name", "interval"}, {"says", "outside"}, {"kills", 2}, {"alone", 1}}));
  EXPECT_EQ(h.at("oracles").at(1).at("alone"), 0);
  const json& a = h.at("mutants").at(0);
  EXPECT_EQ(a.at("runs").at(0).at("kills").at(0).at("rerun"),
            R"(w4check rerun 'decode m=2 module=/a/b'\''c.so')");
  EXPECT_EQ(h.at("mutants").at(2).at("runs").at(0).at("first_not_counted"), "<b>accepted</b>");
  EXPECT_EQ(h.at("clean").at(0).at("cases"), 7);
  EXPECT_EQ(h.at("notice"), "");
  EXPECT_TRUE(d.at("zoo").at("notes").empty());
}

TEST_F(Documents, SeedsStandBesideTheHunt) {
  file("zoo", "all mutants", zoo());
  file("zoo", "ten seeds",
       {{"seeds", {{"killed", {140, 141}}, {"hunted", 142}, {"audit_only", 1}, {"mutants", 0}}}});
  const json z = document().at("zoo");
  EXPECT_EQ(z.at("hunts").size(), 1u);
  ASSERT_EQ(z.at("seeds").size(), 1u);
  EXPECT_EQ(z.at("seeds").at(0).at("killed"), (json{140, 141}));
}

TEST_F(Documents, OfOneNameTheNewestIsShownAndAnotherBuildIsNamed) {
  json older = zoo();
  older["seed"] = 77;
  file("zoo", "all mutants", older, "b1", "2026-01-30 12:00:00");
  file("zoo", "all mutants", zoo(), "b0", "2026-01-31 12:00:00");
  file("zoo", "quick", older, "b1", "2026-01-29 12:00:00");
  const json z = document().at("zoo");
  ASSERT_EQ(z.at("hunts").size(), 2u);
  EXPECT_EQ(z.at("hunts").at(0).at("seed"), 1);
  EXPECT_EQ(z.at("hunts").at(0).at("at"), "2026-01-31 12:00:00");
  for (const char* build : {"b0 here", "b1 in the run"}) {
    EXPECT_THAT(z.at("hunts").at(0).at("notice"), HasSubstr(build));
  }
  EXPECT_EQ(z.at("hunts").at(1).at("name"), "quick");
  EXPECT_EQ(z.at("hunts").at(1).at("notice"), "");
}

// A hunt of a few, however new, says less of the harness than one of all.
TEST_F(Documents, TheWidestHuntComesFirst) {
  json narrow = zoo();
  narrow["mutants"].erase(0);
  file("zoo", "family groups", narrow, "b1", "2026-01-31 12:00:00");
  file("zoo", "all mutants", zoo(), "b1", "2026-01-30 12:00:00");
  const json d = document();
  const json& hunts = d.at("zoo").at("hunts");
  ASSERT_EQ(hunts.size(), 2u);
  EXPECT_EQ(hunts.at(0).at("name"), "all mutants");
  // The summary speaks of the same one.
  const json score = {{"name", "all mutants"},       {"build", "b1"},    {"same_build", true},
                      {"at", "2026-01-30 12:00:00"}, {"mutants", 3},     {"killed", 2},
                      {"survivors", {"groups/c"}},   {"clean_cases", 7}, {"clean_red", 0}};
  EXPECT_EQ(d.at("summary").at("zoo"), score);
}

json bench() {
  return {{"device", "cuda"},
          {"about", "a GPU"},
          {"copy", {{"bytes", 8}, {"gb_per_s", 4000.5}}},
          {"rows",
           {{{"who", "w4check"},
             {"foreign", false},
             {"kernel", "decode"},
             {"shape", "qkv"},
             {"m", 1},
             {"n", 6144},
             {"k", 4096},
             {"g", 128},
             {"act", "f16"},
             {"zp", "packed"},
             {"line", "decode n=6144 k=4096 device=cuda"},
             {"green", true},
             {"skipped", false},
             {"verdict", ""},
             {"why", ""},
             {"ran", "medium m1"},
             {"unit", "GB/s"},
             {"figure", 2000.25},
             {"cold",
              {{"seconds", {{"median", 1e-5}, {"low", 9e-6}, {"high", 2e-5}}},
               {"gb_per_s", 2000.25},
               {"tflop_per_s", 4},
               {"of_copy", 0.5}}},
             {"warm", nullptr}}}}};
}

TEST_F(Documents, ABenchHasItsFigures) {
  file("bench", "qkv", bench());
  const json b = document().at("bench").at("benches").at(0);
  EXPECT_EQ(b.at("copy"), 4000.5);
  const json& row = b.at("rows").at(0);
  EXPECT_EQ(row.at("figure"), 2000.25);
  EXPECT_EQ(row.at("cold").at("seconds"), 1e-5);
  EXPECT_EQ(row.at("cold").at("of_copy"), 0.5);
  EXPECT_TRUE(row.at("warm").is_null());
}

TEST_F(Documents, ADiffKeepsTheOrderOfItsColumns) {
  file("diff", "old.so and new.so", diff());
  const json d = document().at("diff").at("diffs").at(0);
  EXPECT_EQ(d.at("a"), "old.so");
  const json& s = d.at("sections").at(0);
  EXPECT_EQ(s.at("header"), (json{"kernel", "A", "B"}));
  EXPECT_EQ(s.at("rows").at(0).at("cells"), (json{"decode", "g64", "g128"}));
  EXPECT_EQ(s.at("complete"), false);
  EXPECT_EQ(s.at("accepted"), 4);
}

TEST_F(Documents, FiguresAndCodeOfKernels) {
  file("figures", "every row", figures());
  file("code", "this w4check", code());
  const json k = document().at("kernels");
  EXPECT_TRUE(k.at("declared").is_null());
  const json& row = k.at("figures").at("rows").at(0);
  EXPECT_EQ(row.at("kernel"), "decode");
  EXPECT_EQ(row.at("device"), "gfx1201");
  EXPECT_EQ(row.at("call"), "M 1");
  EXPECT_EQ(row.at("figures").at("bytes_over_least"), 1.5);
  EXPECT_EQ(row.at("rerun"), "w4check audit figures --case 'decode n=8 k=512 device=gfx1201'");
  EXPECT_EQ(k.at("code").at(0).at("wrong").at(0), "gfx1151 decode: spills");
  EXPECT_EQ(k.at("code").at(0).at("rows").at(0).at("vgprs"), range());
}

// Of a line that two documents count, the newer one.
TEST_F(Documents, TheNewerFiguresOfALineWin) {
  json newer = figures();
  newer[0]["instantiation"] = "medium m1";
  file("figures", "every row", figures(), "b1", "2026-01-30 12:00:00");
  file("figures", "decode", newer, "b1", "2026-01-31 12:00:00");
  const json f = document().at("kernels").at("figures");
  ASSERT_EQ(f.at("rows").size(), 1u);
  EXPECT_EQ(f.at("rows").at(0).at("instantiation"), "medium m1");
  EXPECT_EQ(f.at("sources").size(), 2u);
}

// Whatever stands in one place of a document: it is left out, the note says where, and the rest of
// the report is as ever.
TEST_F(Documents, AnyPlaceMayHoldAnything) {
  const json strange[] = {nullptr,           true, -1, 1e300, "</script>", json::array({1}),
                          {{"mutants", "x"}}};
  const std::pair<const char*, json> kinds[] = {{"zoo", zoo()},
                                                {"diff", diff()},
                                                {"bench", bench()},
                                                {"figures", figures()},
                                                {"code", code()}};
  for (const auto& [kind, good] : kinds) {
    const json places = good.flatten();
    for (const auto& [pointer, value] : places.items()) {
      for (json::json_pointer at(pointer);; at.pop_back()) {
        for (const json& other : strange) {
          json bad = good;
          bad[at] = other;
          file(kind, "one", bad);
          const json d = document();
          EXPECT_TRUE(d.at("summary").is_object());
        }
        if (at.empty()) break;
      }
    }
  }
}

TEST_F(Documents, ALeftOutDocumentIsNamedWithThePlace) {
  json bad = zoo();
  bad["mutants"][1]["runs"][0]["cases"] = "many";
  file("zoo", "all mutants", bad);
  const json z = document().at("zoo");
  EXPECT_TRUE(z.at("hunts").empty());
  ASSERT_EQ(z.at("notes").size(), 1u);
  for (const char* part : {"“all mutants”", "mutants[1].runs[0].cases is 'many'", "a whole number"})
    EXPECT_THAT(z.at("notes").at(0), HasSubstr(part));
}

// The older of two that can be read stands in, and the other one is still said.
TEST_F(Documents, AnOlderOneStandsInForOneThatIsNone) {
  file("zoo", "all mutants", zoo(), "b1", "2026-01-30 12:00:00");
  file("zoo", "all mutants", json{{"something", "else"}}, "b2", "2026-01-31 12:00:00");
  const json z = document().at("zoo");
  EXPECT_EQ(z.at("hunts").size(), 1u);
  EXPECT_EQ(z.at("notes").size(), 1u);
}

// Deeper than a stack would bear where such a value were copied or printed.
TEST_F(Documents, ADeepDocumentIsLeftOut) {
  constexpr int kDeep = 200'000;
  const std::string deep = std::string(kDeep, '[') + std::string(kDeep, ']');
  const auto filed =
      file_document(of_.store(), {.kind = "zoo", .name = "deep", .build_id = "b1", .json = deep});
  if (filed) EXPECT_EQ(document().at("zoo").at("notes").size(), 1u);
}

TEST(Place, ALongTextIsCutBetweenCharacters) {
  std::string text(1999, 'x');
  for (int i = 0; i < 50; ++i) text += "é";
  const json value = text;
  std::string wrong;
  EXPECT_EQ(Place(value, wrong).text(), std::string(1999, 'x') + "… (2099 bytes)");
  EXPECT_EQ(Place(value, wrong).whole_text(), text);
}

TEST(Place, NamesTheFirstThingThatIsWrong) {
  const json value = {{"runs", {{{"cases", 3}}, {{"cases", -3}}}}};
  std::string wrong;
  const Place root(value, wrong);
  for (const Place& r : root.at("runs").list()) r.at("cases").count();
  EXPECT_EQ(wrong, "runs[1].cases is -3; legal: a whole number from 0");
  EXPECT_EQ(root.at("runs").text(), "");
  EXPECT_EQ(wrong, "runs[1].cases is -3; legal: a whole number from 0");
}

}  // namespace
}  // namespace w4
