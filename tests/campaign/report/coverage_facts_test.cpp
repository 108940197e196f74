// The facts behind the coverage page, held against generated cases and the kernels' own host code.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "campaign/report/contract_space.h"
#include "campaign/report/lds_limits.h"
#include "core/case.h"
#include "kernels/lookup.h"
#include "kernels/table.h"
#include "verify/cases/row_cases.h"
#include "verify/diff/ask.h"

namespace w4 {
namespace {

using nlohmann::json;

bool has(const json& pairs, const std::string& of, const std::string& a, const std::string& b) {
  const auto list = pairs.find(of);
  if (list == pairs.end()) return false;
  for (const json& p : *list) {
    if (p.at(0) == a && p.at(1) == b) return true;
  }
  return false;
}

TEST(ContractSpace, SaysWhatDecodeTakes) {
  const json space = contract_space(), of = space.at("decode");
  EXPECT_TRUE(has(of, "m|m", "5", "5"));
  EXPECT_FALSE(has(of, "m|m", "6-16", "6-16"));
  EXPECT_TRUE(has(of, "zp|tail", "none", "n"));
  EXPECT_FALSE(has(of, "zp|tail", "packed", "n")) << "zp.octet";
  EXPECT_TRUE(has(of, "m|k*m", "3", "above"));
  // 32768 / 3 is no integer.
  EXPECT_FALSE(has(of, "m|k*m", "3", "at"));
  EXPECT_TRUE(has(of, "m|k*m", "4", "at"));
  EXPECT_TRUE(has(of, "zp|bias", "unpacked", "mx1"));
  EXPECT_FALSE(has(space.at("chunked"), "zp|zp", "unpacked", "unpacked"));
}

// A pair that is not there is called forbidden: no legal case may have it.
TEST(ContractSpace, HoldsEveryGeneratedLegalCase) {
  const json space = contract_space();
  for (const std::string_view row : generated_rows()) {
    const json& of = space.at(std::string(row));
    std::set<std::string> missing;
    for (int64_t i = 0; i < 3000; ++i) {
      NumberedChooser choose(7, i);
      const Case c = choose_draft(choose, {}, row);
      const auto at = contract_classes(c.problem);
      for (size_t a = 0; a < at.size(); ++a) {
        for (size_t b = a; b < at.size(); ++b) {
          const std::string name =
              std::string(kContractDimensions[a]) + "|" + std::string(kContractDimensions[b]);
          if (!has(of, name, at[a], at[b]))
            missing.insert(name + ": " + at[a] + ", " + at[b] + ": " + to_string(c));
        }
      }
    }
    EXPECT_TRUE(missing.empty()) << row << " " << missing.size() << " " << *missing.begin();
  }
}

// What the kernel says to a call of K = elements / rows, or a group more.
std::string says(std::string_view kernel, int64_t rows, int64_t k) {
  const bool experts = kernel.starts_with("moe");
  Case c;
  c.kernel = kernel;
  c.problem.m = experts ? 8 : rows;
  c.problem.k = k;
  c.problem.g = 32;
  if (experts) {
    c.problem.experts = 2;
    c.problem.blockm = rows;
  }
  const auto asked = diff::ask(*find_kernel(builtin_module(), kernel), c, false);
  EXPECT_TRUE(asked) << asked.error().text;
  if (!asked->call.empty()) return "refused " + asked->call;
  // Those of prefill are called by their tile.
  if (asked->instantiation.starts_with("bm")) return "prefill";
  return asked->instantiation.substr(0, asked->instantiation.find(' '));
}

TEST(LdsLimits, AreWhereHostCodeDecidesOtherwise) {
  const json limits = lds_limits();
  std::map<std::string, std::string> either;  // "decode 32768" -> "small, medium"
  for (const auto& [kernel, gates] : limits.items()) {
    for (const json& gate : gates) {
      const int64_t elements = gate.at("elements"), rows = 4;
      const int64_t fits = elements / rows / 32 * 32;
      either[kernel + " " + std::to_string(elements)] =
          says(kernel, rows, fits) + ", " + says(kernel, rows, fits + 32);
    }
  }
  const std::map<std::string, std::string> expected{
      {"decode 32768", "small, medium"},      {"decode 39321", "medium, refused lds.limit"},
      {"chunked 32768", "resident, chunked"}, {"hybrid 32768", "resident, prefill"},
      {"moe 8192", "small, large"},           {"moe 32768", "large, chunked"}};
  EXPECT_EQ(either, expected);
}

}  // namespace
}  // namespace w4
