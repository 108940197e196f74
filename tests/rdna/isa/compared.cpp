#include "tests/rdna/isa/compared.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "rdna/catalogue.h"

namespace w4::rdna::test {
namespace {

std::set<std::string, std::less<>>& names() {
  static std::set<std::string, std::less<>> s;
  return s;
}

// "All/WMMA" counts for WMMA.
bool ran_wholly(std::string_view suite) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  bool found = false;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& s = *all.GetTestSuite(i);
    std::string_view name = s.name();
    name.remove_prefix(name.find_last_of('/') + 1);
    if (name != suite) continue;
    found = true;
    if (s.test_to_run_count() != s.total_test_count()) return false;
  }
  return found;
}

}  // namespace

void compared(std::string_view mnemonic) {
  if (!names().contains(mnemonic)) names().emplace(mnemonic);
}

void EveryRowCompared::TearDown() {
  std::map<std::string_view, int> counted, left_out;
  for (const Row* r : rows_) {
    const std::string_view suite = isa_class(r->mnemonic);
    if (!ran_wholly(suite)) {
      ++left_out[suite];
      continue;
    }
    const auto e = std::ranges::find(exempt_, r->mnemonic, &Exempt::mnemonic);
    if (e != exempt_.end()) {
      std::printf("%s has no value to compare: %s\n", std::string(r->mnemonic).c_str(),
                  std::string(e->why).c_str());
      continue;
    }
    ++counted[suite];
    if (!names().contains(r->mnemonic))
      ADD_FAILURE() << r->mnemonic << ": no test of " << suite << " compared its result";
  }
  for (const auto& [suite, n] : counted)
    std::printf("%s: %d rows compared with their references\n", std::string(suite).c_str(), n);
  for (const auto& [suite, n] : left_out)
    std::printf("%s: not all of its tests ran, its %d rows were not counted\n",
                std::string(suite).c_str(), n);
}

}  // namespace w4::rdna::test
