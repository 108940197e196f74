// The kernels as PTX: the same kernels with the same arguments as in the AMD objects, which
// `w4check audit code` holds against the same expectations, blocks that fit, and shared memory as
// the host's rules count it. Of one object, compiled for this test, and of the build's.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "devices/ptx.h"
#include "kernels/expectations.h"
#include "kernels/objects.h"

namespace w4 {
namespace {

std::string maxntid(uint32_t threads) { return ".maxntid " + std::to_string(threads) + ", 1, 1"; }

void holds_the_same(std::string_view kernel, std::string_view act, int group_size,
                    const std::string& text) {
  SCOPED_TRACE(std::string(kernel) + " " + std::string(act));
  const auto ptx = Ptx::parse(text);
  ASSERT_TRUE(ptx) << ptx.error().text;
  EXPECT_TRUE(ptx->separable());
  const auto all = expectations();
  const auto e = std::ranges::find(all, kernel, &Expectation::kernel);
  ASSERT_NE(e, all.end());
  std::set<std::string> names, want;
  for (const PtxKernel& k : ptx->kernels()) names.insert(k.name);
  for (const ExpectedKernel& k : e->kernels(act, group_size)) {
    want.insert(k.symbol);
    const PtxKernel* found = ptx->find(k.symbol);
    if (found == nullptr) continue;
    EXPECT_EQ(found->argument_bytes, e->arg_bytes) << k.symbol;
    EXPECT_EQ(found->shared_bytes, k.lds_bytes) << k.symbol;
    const std::string alone = ptx->for_driver(*found);
    EXPECT_TRUE(alone.contains(maxntid(k.threads))) << k.symbol << ": " << k.threads << " threads";
    EXPECT_FALSE(alone.contains(".func")) << k.symbol;
    EXPECT_TRUE(alone.contains(".extern .shared .align 16 .b8 ")) << k.symbol;
  }
  EXPECT_EQ(names, want);
}

TEST(PtxObjects, AnObjectHoldsTheSameKernelsAsAmds) {
  std::ifstream in(W4_TEST_PTX);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  holds_the_same("moe_prefill", "bf16", 0, text);
}

TEST(PtxObjects, ThoseOfTheBuildToo) {
  size_t objects = 0;
  for (const KernelObject& o : kernel_objects()) {
    if (o.arch != "cuda") continue;
    ++objects;
    holds_the_same(o.kernel, o.act, o.group_size,
                   {reinterpret_cast<const char*>(o.begin), o.bytes()});
  }
  if (objects == 0) GTEST_SKIP() << "a build without -DW4_CUDA=ON has no PTX";
}

}  // namespace
}  // namespace w4
