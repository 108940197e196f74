// Opening modules: the built-in table, shared objects, and every way in which one is not a module.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/table.h"

namespace w4 {
namespace {

using testing::HasSubstr;

std::string refused(const std::string& path) {
  const auto module = Module::open(path);
  return module ? "opened" : module.error().text;
}

TEST(Module, TheBuiltInOneHasDecode) {
  const auto module = Module::open("");
  ASSERT_TRUE(module) << module.error().text;
  ASSERT_NE((*module)->find("decode"), nullptr);
  EXPECT_EQ((*module)->find("decoder"), nullptr);
  EXPECT_EQ((*module)->table().version, W4_MODULE_VERSION);
}

TEST(Module, ASharedObjectGivesItsOwnTable) {
  const auto module = Module::open(W4_TEST_MODULE);
  ASSERT_TRUE(module) << module.error().text;
  const w4_kernel* kernel = (*module)->find("decode");
  ASSERT_NE(kernel, nullptr);
  EXPECT_NE(kernel->run, builtin_module().kernels[0].run);
  EXPECT_STREQ(kernel->archs[0], "gfx1151");
  EXPECT_EQ(kernel->archs[1], nullptr);
}

TEST(Module, WhatIsNoModuleIsRefusedWithItsPathAndReason) {
  EXPECT_THAT(refused("/no/such/file.so"), HasSubstr("/no/such/file.so"));
  const std::string text = testing::TempDir() + "/w4_not_a_module.so";
  std::ofstream(text) << "text";
  EXPECT_THAT(refused(text), HasSubstr("cannot open"));
  EXPECT_THAT(refused("libc.so.6"), HasSubstr("cannot open"));  // no search of library paths
  EXPECT_THAT(refused(W4_TEST_NO_ENTRY), HasSubstr("no entry w4_module_v0"));
  EXPECT_THAT(refused(W4_TEST_OTHER_VERSION), HasSubstr("version 1"));
  EXPECT_THAT(refused(std::string("a\0b", 3)), HasSubstr("NUL"));
}

}  // namespace
}  // namespace w4
