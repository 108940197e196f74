// Preparations and operators of several modules: the pairs that fit, those that are refused, and
// those that compute something else without a word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "campaign/process.h"

namespace w4 {
namespace {

using ::testing::AllOf;
using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TemporaryFolder;
using testing::w4check;

struct Row {
  int64_t works = 0, refused = 0, wrong = 0;
  std::string told;  // whats and values
  std::string rerun;
};

Row row(const nlohmann::json& all, const std::string& preparer, const std::string& op) {
  for (const auto& r : all) {
    if (r["prepared_by"] != preparer || r["run_by"] != op || r["kernel"] != "decode") continue;
    Row out{r["works"], r["refused"], r["wrong"], "", ""};
    for (const auto& t : r["told"]) {
      out.told += t["what"].get<std::string>() + " " + t["values"].get<std::string>() + "\n";
      out.rerun = t["rerun"];
    }
    return out;
  }
  ADD_FAILURE() << "no pair " << preparer << " " << op;
  return {};
}

nlohmann::json pairs(const std::vector<std::string>& modules, int code) {
  std::vector<std::string> words{"pair", "--json", "-"};
  words.insert(words.end(), modules.begin(), modules.end());
  const Finished f = w4check(words);
  EXPECT_EQ(f.code, code) << f.out << f.err;
  return nlohmann::json::parse(f.out, nullptr, false);
}

TEST(Pair, CleanModulesFit) {
  const Finished f = w4check({"pair", W4_CLEAN_MODULE, "--kernel", "decode"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("4 pairs, 0 of them refused or wrong; 360 of 360 cases work"));
}

TEST(Pair, TwoContractsUnderOneNameAreTheBadPairs) {
  const std::string packed = W4_PAIR_PACKED, unpacked = W4_PAIR_UNPACKED;
  const auto all = pairs({packed, unpacked}, 1);
  ASSERT_TRUE(all.is_array());
  // Each is right by itself, and the built-in operator reads the tag.
  for (const auto& [p, o] :
       {std::pair(packed, packed), std::pair(unpacked, unpacked),
        std::pair(packed, std::string("builtin")), std::pair(unpacked, std::string("builtin")),
        std::pair(std::string("builtin"), std::string("builtin"))}) {
    const Row r = row(all, p, o);
    EXPECT_EQ(r.refused + r.wrong, 0) << p << " " << o << " " << r.told;
    // What `packed` cannot write: words from zero points that are any numbers.
    const int64_t all_cases = p == packed && o == "builtin" ? 84 : 90;
    EXPECT_EQ(r.works, o == "builtin" ? all_cases : o == packed ? 60 : 30);
  }
  for (const auto& [p, o] : {std::pair(packed, unpacked), std::pair(unpacked, packed)}) {
    const Row r = row(all, p, o);
    // Symmetric weights have no zero points: `packed` takes them, `unpacked` refuses them.
    EXPECT_EQ(r.works, o == packed ? 30 : 0);
    EXPECT_EQ(r.refused, o == packed ? 0 : 30) << r.told;
    EXPECT_EQ(r.wrong, p == packed ? 54 : 60) << r.told;
    EXPECT_THAT(r.told, AllOf(HasSubstr("zp.dtype"), HasSubstr("which it does not declare")));
    EXPECT_EQ(w4check({"rerun", r.rerun}).code, 1) << r.rerun;
  }
  // Reading numbers for words is in bounds and wrong; words for numbers are too few.
  EXPECT_THAT(row(all, unpacked, packed).told, HasSubstr("mismatch (zp.dtype: "));
  EXPECT_THAT(row(all, packed, unpacked).told, HasSubstr("finding (zp.dtype: "));
  // An honest preparation does not help an operator that looks at no tag.
  const Row honest = row(all, "builtin", packed);
  EXPECT_EQ(honest.works, 60);
  EXPECT_EQ(honest.wrong, 30);
  EXPECT_THAT(honest.told, HasSubstr("zp=unpacked"));
}

TEST(Pair, AnOperatorThatLooksRefusesByName) {
  const auto all = pairs({W4_PAIR_CHECKED}, 1);
  const Row r = row(all, "builtin", W4_PAIR_CHECKED);
  EXPECT_EQ(r.works, 30);
  EXPECT_EQ(r.refused, 60) << r.told;
  EXPECT_EQ(r.wrong, 0) << r.told;
  EXPECT_THAT(r.told,
              HasSubstr("selection can form this pair, it is refused: zp.unpacked act=f16,bf16 "
                        "g=32,64,128 zp=none,packed"));
}

TEST(Pair, TheTableNamesPairAndLine) {
  const Finished f = w4check({"pair", W4_PAIR_PACKED, W4_PAIR_UNPACKED, "--jobs", "2"});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out,
              AllOf(HasSubstr("prepared by"), HasSubstr("9 pairs, 4 of them refused or wrong"),
                    HasSubstr("w4check rerun 'decode ")));
}

TEST(Pair, MistakesAreUsage) {
  const auto says = [](const std::vector<std::string>& words, const char* what) {
    const Finished f = w4check(words);
    EXPECT_EQ(f.code, 2) << f.out << f.err;
    EXPECT_THAT(f.err, HasSubstr(what));
  };
  says({"pair", "no/such.so"}, "'no/such.so': there is no such file");
  says({"pair", "--kernel", "decdoe"}, "no kernel 'decdoe'");
  says({"pair", "--device", "gfx90a"}, "'gfx90a'");
  says({"pair", "--jobs", "0"}, "--jobs: 0");
  says({"pair", W4_DYING_MODULE}, "w4_module_v1 gave no table");
  setenv("W4_DIES", "constructor", 1);
  says({"pair", W4_DYING_MODULE}, "cannot be opened: crash: signal 6 in a constructor");
  unsetenv("W4_DIES");
}

}  // namespace
}  // namespace w4
