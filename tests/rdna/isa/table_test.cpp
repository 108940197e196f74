// One row per mnemonic, both variants present.
#include <set>

#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

TEST(IsaTable, NoMnemonicTwice) {
  std::set<std::string_view> seen;
  for (const Row* r : isa_rows()) EXPECT_TRUE(seen.insert(r->mnemonic).second) << r->mnemonic;
}

TEST(IsaTable, BothVariants) {
  for (const Row* r : isa_rows()) {
    EXPECT_TRUE(r->run[0] && r->run[1]) << r->mnemonic;
    EXPECT_FALSE(r->family.empty()) << r->mnemonic;
  }
}

}  // namespace
}  // namespace w4::rdna::test
