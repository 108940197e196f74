// What the suite of expert layers promises.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "campaign/suites/moe.h"
#include "core/contract.h"
#include "kernels/table.h"

namespace w4 {
namespace {

std::vector<std::string> declared(const std::string& kernel) {
  std::vector<std::string> names;
  const w4_module& module = builtin_module();
  for (int32_t i = 0; i < module.kernel_count; ++i) {
    if (kernel != module.kernels[i].name) continue;
    for (const char* const* n = module.kernels[i].clauses; *n; ++n) names.emplace_back(*n);
  }
  return names;
}

std::vector<std::string> broken(const Case& c) {
  return broken_clauses(declared(c.kernel), c.problem,
                        resolve_reported(c.problem, *find_gpu(c.device)));
}

TEST(MoeSuite, EveryClauseOfItsKernelsIsBrokenByName) {
  std::map<std::string, std::set<std::string>> covered;
  for (const MoeRefusal& r : moe_refusals()) {
    const auto c = parse_case(r.line);
    ASSERT_TRUE(c) << r.line << ": " << c.error().text;
    EXPECT_THAT(broken(*c), testing::Contains(std::string(r.clause))) << r.line;
    covered[c->kernel].insert(std::string(r.clause));
  }
  for (const auto& [kernel, clauses] : covered) {
    for (const std::string& clause : declared(kernel)) {
      // Its smallest case is larger than a case may be.
      if (clause == "index.width") continue;
      EXPECT_TRUE(clauses.contains(clause)) << kernel << " " << clause;
    }
  }
}

TEST(MoeSuite, EveryOtherCaseIsLegalAndEveryValueOccurs) {
  std::map<std::string, std::set<std::string>> seen;
  for (const Case& c : moe_cases(1)) {
    const Problem& p = c.problem;
    if (!broken(c).empty()) continue;
    auto& of = seen[c.kernel];
    of.insert("route " + std::string(name_of(p.route)));
    of.insert("rows " + std::string(name_of(p.rows)));
    of.insert("block " + std::to_string(p.blockm));
    of.insert("g " + std::to_string(p.g));
    of.insert("act " + std::string(name_of(p.act)));
    of.insert("zp " + std::string(name_of(p.zp)));
    if (p.silu) of.insert("silu");
    if (c.kernel == "moe") of.insert("tokens " + std::to_string(p.m));
  }
  const size_t illegal = moe_refusals().size();
  size_t legal = 0;
  for (const Case& c : moe_cases(1)) legal += broken(c).empty();
  EXPECT_EQ(legal + illegal, moe_cases(1).size());
  // 6 routings, 2 orders, 5 block sizes, 3 G, 2 types, 2 zero points, silu, 5 token counts
  EXPECT_EQ(seen["moe"].size(), 6u + 2 + 5 + 3 + 2 + 2 + 1 + 5);
  EXPECT_EQ(seen["moe_prefill"].size(), 6u + 2 + 3 + 3 + 2 + 2);
}

}  // namespace
}  // namespace w4
