// `w4check run` judges what its verdicts say together: outputs that lean are red though each case
// passes, a suite below its floors is, a file has none. Statistics go into the store and JSON and
// come back out of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "campaign/plan.h"
#include "campaign/process.h"
#include "results/sqlite.h"
#include "results/store.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;

std::string module_of(const std::string& id) {
  std::ifstream in(W4_MODULES_LIST);
  for (std::string name, path; in >> name >> path;) {
    if (name == id) return path;
  }
  ADD_FAILURE() << "no module " << id << " in " << W4_MODULES_LIST;
  return "";
}

// 64 Ki outputs, which know their mean to 0.0012 ulp.
std::string many_outputs(const std::string& rest) {
  std::string out;
  for (int seed = 1; seed <= 16; ++seed) {
    out += "decode m=4 n=1024 k=8192 g=64 fp=ieee seed=" + std::to_string(seed) + rest + "\n";
  }
  return out;
}

nlohmann::json pass_of(const std::string& line) {
  return nlohmann::json::parse(line).at("outcomes").at(0);
}

TEST(CliWholeSet, OutputsThatLeanAreRedThoughEveryCasePasses) {
  const TemporaryFolder folder;
  const std::string module = " module=" + module_of("sums_lean"), json = folder / "v.json";
  const Finished lean =
      w4check({"run", "--cases", folder.write("lean", many_outputs(module)), "--json", json});
  EXPECT_EQ(lean.code, 1) << lean.out << lean.err;
  EXPECT_THAT(lean.out, HasSubstr("16 green (16 pass), 0 red"));
  EXPECT_THAT(lean.out, ::testing::ContainsRegex(
                            "\ndrift: decode of [^ ]*sums_lean.so on gfx1151, fp ieee, f16: err "
                            "sign\\(y\\) is -0\\.01[0-9]+ ulp of the output in the mean over "
                            "65[0-9]+ outputs of 16384 columns, [0-9]+\\.[0-9] sigma outside 0\n"));
  std::istringstream lines(read_file(json));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto pass = pass_of(line);
    EXPECT_GT(pass.at("headroom").get<double>(), 0.1) << line;
    EXPECT_GT(pass.at("drift").at("outputs").get<int>(), 3000) << line;
    EXPECT_LT(pass.at("drift").at("sum").get<double>(), 100) << line;
  }
  EXPECT_EQ(count, 16);

  const Finished clean = w4check({"run", "--cases", folder.write("clean", many_outputs(""))});
  EXPECT_EQ(clean.code, 0) << clean.out << clean.err;
  EXPECT_THAT(clean.out, HasSubstr("drift of 1 groups; most: decode on gfx1151"));
  EXPECT_THAT(clean.out, Not(HasSubstr("\ndrift: ")));
}

bool knows_its_build() { return build_id().find(" unknown ") == std::string::npos; }

std::string lines_with(const std::string& text, const std::string& word) {
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    if (line.find(word) != line.npos) out += line + "\n";
  }
  return out;
}

TEST(CliWholeSet, StatisticsComeBackFromTheStoreAndOlderVerdictsHaveNone) {
  if (!knows_its_build()) GTEST_SKIP() << "a build outside git takes no verdict over";
  const TemporaryFolder folder;
  const std::string db = folder / "r.db";
  const std::vector<std::string> command{
      "run", "--cases", folder.write("c", "decode m=4 n=256 k=4096\n"), "--db", db};
  const Finished first = w4check(command);
  EXPECT_THAT(first.out, HasSubstr("\nheadroom of decode f16: "));
  EXPECT_THAT(first.out, HasSubstr("\ndrift of 1 groups; "));
  const Finished again = w4check(command);
  EXPECT_THAT(again.out, HasSubstr("1 of them from an earlier run"));
  for (const char* word : {"headroom of ", "drift of "}) {
    EXPECT_EQ(lines_with(again.out, word), lines_with(first.out, word));
  }
  // As it was written before there were statistics.
  auto store = Database::open(db, SQLITE_OPEN_READWRITE);
  ASSERT_TRUE(store);
  ASSERT_TRUE(
      store->execute("UPDATE verdict SET json = json_remove(json, '$.outcomes[0].drift', "
                     "'$.outcomes[0].exposure')"));
  const Finished older = w4check(command);
  EXPECT_EQ(older.code, 0) << older.err;
  EXPECT_THAT(older.out, HasSubstr("1 of them from an earlier run"));
  EXPECT_THAT(older.out, Not(HasSubstr("drift of")));
  EXPECT_EQ(w4check({"report", "--db", db, "--out", folder / "x.html"}).code, 0);
}

// Suite boundary as verdicts of an earlier run, in which all of bf16 was refused.
TEST(CliWholeSet, ASuiteBelowItsFloorIsRedAFileOfTheSameCasesIsNot) {
  if (!knows_its_build()) GTEST_SKIP() << "a build outside git takes no verdict over";
  const TemporaryFolder folder;
  const std::string db = folder / "r.db";
  std::string text;
  {
    auto store = Store::open(db, Store::Mode::write);
    ASSERT_TRUE(store) << store.error().text;
    PlanOptions boundary;
    boundary.suites = {"boundary"};
    const auto plan = make_plan(boundary);
    ASSERT_TRUE(plan) << plan.error().text;
    const auto run = store->begin_run({"earlier", build_id(), 1});
    ASSERT_TRUE(run);
    Provenance ran;
    ran.build_id = build_id();
    for (const PlannedCase& p : *plan) {
      text += p.line + "\n";
      const Outcome passed = Pass{}, refused = Refused{"act.dtype", "", true, true};
      const bool half = p.value.problem.act == DType::f16;
      ASSERT_TRUE(store->add(*run, {"boundary", p.value.kernel, p.value.device,
                                    make_verdict(p.line, {half ? passed : refused}, ran)}));
    }
  }
  const Finished suite = w4check({"run", "--suite", "boundary", "--db", db});
  EXPECT_EQ(suite.code, 1) << suite.out << suite.err;
  EXPECT_THAT(suite.out, HasSubstr(", 0 red"));
  EXPECT_THAT(suite.out, HasSubstr("\nbelow the floor: boundary: dtype = bf16 in 0 of 1474 cases"));
  const Finished file = w4check({"run", "--cases", folder.write("same", text), "--db", db});
  EXPECT_EQ(file.code, 0) << file.out << file.err;
  EXPECT_THAT(file.out, Not(HasSubstr("floor")));
}

}  // namespace
}  // namespace w4
