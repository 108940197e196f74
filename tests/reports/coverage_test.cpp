// The coverage member: what is counted where, which points of the boundary picture stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reports/boundary.h"
#include "reports/joint.h"
#include "results/documents.h"
#include "store_of.h"

namespace w4 {
namespace {

using nlohmann::json;
using testing::StoreOf;

Record record(const std::string& line, Outcome o, const std::string& instantiation = "") {
  const Case c = *parse_case(line);
  Provenance provenance;
  provenance.instantiation = instantiation;
  return {"smoke", c.kernel, c.device, make_verdict(line, {std::move(o)}, provenance)};
}

// Cases in cells that have all of these values.
int64_t cases_of(const json& coverage, const std::vector<std::pair<std::string, std::string>>& at) {
  const json& cells = coverage.at("cells");
  int64_t n = 0;
  for (size_t i = 0; i < cells.at("cases").size(); ++i) {
    bool all = true;
    for (const auto& [name, value] : at) {
      for (const json& d : coverage.at("dimensions")) {
        if (d.at("name") == name)
          all &= d.at("values").at(cells.at(name).at(i).get<size_t>()) == value;
      }
    }
    if (all) n += cells.at("cases").at(i).get<int64_t>();
  }
  return n;
}

TEST(CoverageMember, CountsCasesByClassAndFate) {
  const std::vector<Record> rows{
      record("decode m=4 n=65 k=8192 g=64 act=bf16", Pass{}, "small y2"),
      record("decode m=4 n=65 k=8192 g=64 act=bf16 seed=2", Pass{}, "small y2"),
      record("decode m=4 n=64 k=8224 g=32 zp=packed bias=n", Mismatch{}, "medium y4"),
      record("decode m=9 n=64 k=512",
             Refused{.clause = "m.range", .message = "", .expected = true}),
      record("decode m=1 n=64 k=512 device=host", Skipped{})};
  const json c = StoreOf(rows).document().at("coverage");
  EXPECT_EQ(cases_of(c, {}), 5);
  EXPECT_EQ(cases_of(c, {{"g", "64"},
                         {"dtype", "bf16"},
                         {"k*m", "at"},
                         {"tail", "n"},
                         {"m", "4"},
                         {"verdict", "right"},
                         {"instantiation", "small y2"}}),
            2);
  EXPECT_EQ(cases_of(c, {{"zp", "packed"}, {"bias", "n"}, {"k*m", "above"}, {"verdict", "red"}}),
            1);
  EXPECT_EQ(cases_of(c, {{"m", "6-16"}, {"verdict", "refused"}}), 1);
  EXPECT_EQ(cases_of(c, {{"device", "host"}, {"verdict", "skipped"}}), 1);
  EXPECT_EQ(cases_of(c, {{"verdict", "right"}}), 2);
  // What the contract has is listed though no case has it.
  std::set<std::string> listed;
  for (const json& d : c.at("dimensions")) {
    for (const json& v : d.at("values"))
      listed.insert(d.at("name").get<std::string>() + " " + v.get<std::string>());
  }
  for (const char* value : {"g 128", "zp unpacked", "bias mx1", "m 65 and more", "tail k and n"})
    EXPECT_TRUE(listed.contains(value)) << value;
}

TEST(CoverageMember, LinesThatAreNoCasesAreCountedApart) {
  const Record target{"targets", "fuzz", "", make_verdict("target=isa input=ab", {Crash{}}, {})};
  const json c = StoreOf({target, record("decode m=1", Pass{})}).document().at("coverage");
  EXPECT_EQ(c.at("unread"), 1);
  EXPECT_EQ(cases_of(c, {}), 1);
}

TEST(CoverageMember, KernelOfAModuleIsNotTheBuiltInOne) {
  const json c =
      StoreOf({record("decode m=1", Pass{}), record("decode m=1 module=/x/mine.so", Pass{})})
          .document()
          .at("coverage");
  EXPECT_EQ(cases_of(c, {{"kernel", "decode"}}), 1);
  EXPECT_EQ(cases_of(c, {{"kernel", "decode of mine.so"}}), 1);
}

TEST(CoverageMember, WithoutFactsAndDocumentsMembersAreNull) {
  const json c = StoreOf({record("decode m=1", Pass{})}).document().at("coverage");
  for (const char* member : {"contract", "limits", "instructions"})
    EXPECT_TRUE(c.at(member).is_null()) << member;
}

// A document of the command, counted over so many cases.
StoredDocument counted(const std::string& name, const std::string& build, int cases) {
  json d = json::parse(R"({"red": 0,
      "kernels": [{"kernel": "w4_a", "arch": "gfx1151", "instructions": 10, "run": 9, "edges": 4,
                   "edges_run": 2, "launches": 1, "waves": 16}],
      "lines": {"all": 3, "partly": [],
                "never": [{"source": "a.hip:7", "instructions": 1, "kernels": 1}]}})");
  d["cases"] = cases;
  return {.kind = "coverage", .name = name, .build_id = build, .json = d.dump()};
}

TEST(CoverageMember, TakesTheDocumentOfTheRunsBuild) {
  StoreOf store({record("decode m=1", Pass{})});
  const auto shown = [&] { return store.document().at("coverage").at("instructions").at("shown"); };
  ASSERT_TRUE(file_document(store.store(), counted("other", "b0", 1)));
  EXPECT_EQ(shown().at("cases"), 1);
  EXPECT_NE(shown().at("notice"), "");
  StoredDocument own = counted("own", "b1", 2);
  own.at = "2025-01-01 00:00:00";
  ASSERT_TRUE(file_document(store.store(), own));
  EXPECT_EQ(shown().at("cases"), 2);
  EXPECT_EQ(shown().at("notice"), "");
  EXPECT_EQ(shown().at("lines").at("never").at(0).at("source"), "a.hip:7");
}

TEST(CoverageMember, ADocumentOfAnotherShapeIsLeftOutAndSaid) {
  StoreOf store({record("decode m=1", Pass{})});
  StoredDocument wrong = counted("x", "b1", 1);
  wrong.json = R"({"kernels": "many"})";
  ASSERT_TRUE(file_document(store.store(), wrong));
  const json c = store.document().at("coverage").at("instructions");
  EXPECT_TRUE(c.at("shown").is_null());
  ASSERT_EQ(c.at("notes").size(), 1);
  EXPECT_NE(c.at("notes").at(0).get<std::string>().find("kernels"), std::string::npos);
}

TEST(JointCounts, ManyCombinationsFoldIntoForms) {
  Joint joint;
  for (size_t i = 0; i <= Joint::kMostCells; ++i) {
    const Record r = record("decode m=1", Pass{}, "medium y" + std::to_string(i));
    joint.add(*parse_case(r.verdict.line), r.verdict);
  }
  const json j = joint.to_json();
  EXPECT_EQ(j.at("folded"), true);
  EXPECT_EQ(cases_of(j, {{"instantiation", "medium"}}), Joint::kMostCells + 1);
}

TEST(BoundaryPoints, RedOnesAndThoseNearALimitAlwaysStay) {
  Boundary boundary;
  const auto add = [&](int64_t m, int64_t k, bool red) {
    Case c = *parse_case("decode m=1");
    c.problem.m = m;
    c.problem.k = k;
    boundary.add(c, make_verdict(to_string(c), {red ? Outcome{Mismatch{}} : Outcome{Pass{}}}, {}));
  };
  const auto far = static_cast<int64_t>(3 * Boundary::kMost);
  for (int64_t k = 1; k <= far; ++k) add(1, k, false);
  for (int64_t k = 1; k <= 6000; ++k) add(1, 20 * k, true);   // more than fit
  for (int64_t k = 32000; k <= 33500; ++k) add(1, k, false);  // near 32768
  add(4, 8192, false);
  add(4, 8192, false);
  const json j = boundary.to_json({{"decode", {{{"elements", 32768}}}}});
  const json& p = j.at("points");
  int64_t red = 0, near = 0, rest = 0;
  for (size_t i = 0; i < p.at("k").size(); ++i) {
    const int64_t product = p.at("k")[i].get<int64_t>() * p.at("rows")[i].get<int64_t>();
    if (kFates.at(p.at("verdict")[i]) == "red") {
      ++red;
    } else if (product >= 32000 && product <= 33500) {
      ++near;
    } else {
      ++rest;
    }
    if (p.at("rows")[i] == 4) EXPECT_EQ(p.at("cases")[i], 2);
  }
  EXPECT_EQ(red, 6000);
  EXPECT_EQ(near, 1502);
  EXPECT_EQ(rest, 0) << "no room is left for others";
  EXPECT_EQ(j.at("all"), far + 6000 + 1502);
}

// A module's kernel is a version of the row whose limits it is held against.
TEST(BoundaryPoints, ThoseOfAModuleStayBesideTheLimitsOfItsRow) {
  Boundary boundary;
  const int64_t limit = 70'000;  // far from the limit of kernels that nothing is known of
  for (int64_t k = 1; k <= limit; ++k) {
    Case c = *parse_case("decode m=1 module=/a/mine.so");
    c.problem.k = k;
    boundary.add(c, make_verdict(to_string(c), {Pass{}}, {}));
  }
  const json j = boundary.to_json({{"decode", {{{"elements", limit}}}}});
  const auto ks = j.at("points").at("k").get<std::vector<int64_t>>();
  const auto near = static_cast<int64_t>(static_cast<double>(limit) * Boundary::kNear);
  EXPECT_EQ(std::ranges::count_if(ks, [&](int64_t k) { return k >= limit - near; }), near + 1);
}

TEST(BoundaryPoints, OthersFillTheRoomTheSameEachTime) {
  Boundary boundary;
  for (int64_t k = 1; k <= 20000; ++k) {
    Case c = *parse_case("decode m=1");
    c.problem.k = k;
    c.problem.lds = 163840;
    boundary.add(c, make_verdict(to_string(c), {Pass{}}, {}));
  }
  const json limits = {{"decode", {{{"elements", 32768}}}}};
  const json j = boundary.to_json(limits);
  EXPECT_EQ(j.at("points").at("k").size(), Boundary::kMost);
  EXPECT_EQ(j, boundary.to_json(limits));
  EXPECT_EQ(j.at("reported"), json::parse(R"([{"kernel": 0, "bytes": 163840, "cases": 20000}])"));
}

}  // namespace
}  // namespace w4
