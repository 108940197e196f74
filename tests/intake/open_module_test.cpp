// Opening modules: the built-in table, shared objects, and every way in which one is not a module.
#include "intake/open_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/table.h"

namespace w4 {
namespace {

using testing::HasSubstr;

std::string refused(const std::string& path) {
  const auto module = open_module(path);
  return module ? "opened" : module.error().text;
}

TEST(OpenModule, TheBuiltInOneHasDecode) {
  const auto module = open_module("");
  ASSERT_TRUE(module) << module.error().text;
  ASSERT_NE(module->find("decode"), nullptr);
  EXPECT_EQ(module->find("decoder"), nullptr);
  EXPECT_EQ(module->table->version, W4_MODULE_VERSION);
  EXPECT_FALSE(module->native());
  EXPECT_EQ(open_module("builtin")->table, module->table);
}

TEST(OpenModule, ASharedObjectGivesItsOwnTable) {
  const auto module = open_module(W4_TEST_MODULE);
  ASSERT_TRUE(module) << module.error().text;
  const w4_kernel* kernel = module->find("decode");
  ASSERT_NE(kernel, nullptr);
  EXPECT_TRUE(module->native());
  EXPECT_NE(kernel->run, builtin_module().kernels[0].run);
  EXPECT_STREQ(kernel->archs[0], "gfx1151");
  EXPECT_EQ(kernel->archs[1], nullptr);
}

TEST(OpenModule, WhatIsNoModuleIsRefusedWithItsPathAndReason) {
  EXPECT_THAT(refused("/no/such/file.so"), HasSubstr("/no/such/file.so"));
  const std::string text = testing::TempDir() + "/w4_not_a_module.so";
  std::ofstream(text) << "text";
  EXPECT_THAT(refused(text), HasSubstr("cannot open"));
  EXPECT_THAT(refused("libc.so.6"), HasSubstr("cannot open"));  // no search of library paths
  EXPECT_THAT(refused(W4_TEST_NO_ENTRY), HasSubstr("no entry w4_module_v1"));
  EXPECT_THAT(refused(W4_TEST_OTHER_VERSION), HasSubstr("interface version 2; legal: 1"));
  EXPECT_THAT(refused(W4_TEST_VERSION_0),
              HasSubstr("version 0 of kernels/module.h; legal: version 1"));
  EXPECT_THAT(refused(W4_TEST_OTHER_SIZE), HasSubstr("a w4_kernel of 8 bytes; legal: "));
  EXPECT_THAT(refused(std::string("a\0b", 3)), HasSubstr("NUL"));
}

}  // namespace
}  // namespace w4
