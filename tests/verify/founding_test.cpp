// The founding defects, each built as a module: every line of <id>.case ends in a kind listed in
// <id>.expect, and is green on the built-in module.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "verify/run_case.h"
#include "zoo/expect.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Lines "id path".
std::map<std::string, std::string> modules() {
  std::map<std::string, std::string> out;
  std::istringstream in(read(W4_MODULES_LIST));
  for (std::string id, path; in >> id >> path;) out[id] = path;
  return out;
}

std::vector<std::string> founding_ids() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(W4_FOUNDING_DIR)) {
    if (entry.path().extension() == ".case") out.push_back(entry.path().stem());
  }
  return out;
}

class Founding : public testing::TestWithParam<std::string> {};

TEST_P(Founding, IsCaughtAndItsCleanTwinPasses) {
  const fs::path dir = W4_FOUNDING_DIR;
  const auto built = modules();
  ASSERT_TRUE(built.contains(GetParam())) << "no module in " << W4_MODULES_LIST;
  const auto cases = parse_cases(read(dir / (GetParam() + ".case")), GetParam());
  ASSERT_TRUE(cases.has_value()) << cases.error().text;
  const auto expect = parse_expect(read(dir / (GetParam() + ".expect")));
  ASSERT_TRUE(expect.has_value()) << expect.error().text;
  const std::vector<VerdictKind>& wanted = expect->verdicts;
  Context context;
  for (Case c : *cases) {
    const Verdict clean = run_case(c, context);
    EXPECT_TRUE(clean.green()) << to_string(clean);
    c.module = built.at(GetParam());
    const Verdict hurt = run_case(c, context);
    EXPECT_NE(std::find(wanted.begin(), wanted.end(), hurt.kind()), wanted.end())
        << to_string(hurt);
  }
}

INSTANTIATE_TEST_SUITE_P(Defects, Founding, testing::ValuesIn(founding_ids()),
                         [](const auto& p) { return p.param; });

TEST(Founding, HasThreeDefectsAndTheLdsGate) { EXPECT_GE(founding_ids().size(), 4u); }

// The clean module, loaded from a shared object, behaves as the built-in one.
TEST(FoundingTwin, TheCleanModulePasses) {
  const auto built = modules();
  ASSERT_TRUE(built.contains("clean"));
  Context context;
  for (const std::string& id : founding_ids()) {
    for (Case c : *parse_cases(read(fs::path(W4_FOUNDING_DIR) / (id + ".case")), id)) {
      c.module = built.at("clean");
      const Verdict v = run_case(c, context);
      EXPECT_TRUE(v.green()) << to_string(v);
    }
  }
}

}  // namespace
}  // namespace w4
