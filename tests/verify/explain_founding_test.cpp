// Defects that are real edits of the kernels, those that the project was founded on and roundings
// that nothing outside a kernel can plant: explain names them from the case line alone, and finds
// nothing to explain in their clean twins.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "verify/explain/explain.h"

namespace w4::explain {
namespace {

namespace fs = std::filesystem;

std::string module_of(const std::string& id) {
  std::ifstream in(W4_MODULES_LIST);
  for (std::string name, path; in >> name >> path;) {
    if (name == id) return path;
  }
  ADD_FAILURE() << "no module " << id << " in " << W4_MODULES_LIST;
  return "";
}

std::vector<Case> cases_of(const std::string& id) {
  std::ifstream in(fs::path(W4_FOUNDING_DIR) / (id + ".case"));
  std::stringstream text;
  text << in.rdbuf();
  const auto cases = parse_cases(text.str(), id);
  EXPECT_TRUE(cases.has_value());
  return cases ? *cases : std::vector<Case>{};
}

struct Expected {
  const char* id;
  const char* hypothesis;
};

class FoundingDefect : public testing::TestWithParam<Expected> {};

TEST_P(FoundingDefect, IsNamedAndItsTwinNeedsNoExplanation) {
  Context context;
  int named = 0;
  for (Case c : cases_of(GetParam().id)) {
    c.module = module_of("clean");
    EXPECT_EQ(explain(c, context).certainty, Certainty::nothing) << to_string(c);
    c.module = module_of(GetParam().id);
    const Explanation e = explain(c, context);
    EXPECT_NE(e.certainty, Certainty::nothing) << to_string(c);
    if (e.verdict.outcomes.size() == 2 && kind_of(e.verdict.outcomes[1]) == VerdictKind::accepted)
      continue;  // a call that should have been refused has no right output to compare with
    ASSERT_EQ(e.named.size(), 1u) << to_string(e);
    EXPECT_EQ(e.named.front().name, GetParam().hypothesis) << to_string(e);
    ++named;
  }
  EXPECT_GT(named, 0);
}

INSTANTIATE_TEST_SUITE_P(Explain, FoundingDefect,
                         testing::Values(Expected{"g64_runs_128", "group.size"},
                                         Expected{"zp_half_read_as_packed",
                                                  "zp.halves_read_as_words"},
                                         Expected{"bias_row_stride_n", "bias.stride_n"},
                                         Expected{"lds_gate_asks_device", "act.lds_truncated"}),
                         [](const auto& p) { return p.param.id; });

struct Rounding {
  const char* id;
  const char* hypothesis;
};

class RoundingDefect : public testing::TestWithParam<Rounding> {};

TEST_P(RoundingDefect, IsNamedWithinTheBounds) {
  Context context;
  for (const char* line : {"decode m=2 n=40 k=1024 g=64 zp=packed bias=n",
                           "decode m=2 n=40 k=2048 g=64 act=bf16 bias=n"}) {
    Case c = *parse_case(line);
    c.module = module_of("clean");
    EXPECT_EQ(explain(c, context).certainty, Certainty::nothing) << line;
    c.module = module_of(GetParam().id);
    const Explanation e = explain(c, context);
    ASSERT_EQ(e.named.size(), 1u) << to_string(e);
    EXPECT_EQ(e.named.front().name, GetParam().hypothesis) << to_string(e);
    EXPECT_EQ(e.certainty, Certainty::within) << "exact sums do not round";
    EXPECT_FALSE(e.interval.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Explain, RoundingDefect,
                         testing::Values(Rounding{"short_sums", "num.short_sums"},
                                         Rounding{"store_truncates", "num.store_truncates"},
                                         Rounding{"bias_after_rounding", "num.bias_order"}),
                         [](const auto& p) { return p.param.id; });

}  // namespace
}  // namespace w4::explain
