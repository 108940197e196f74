// Opening modules: the built-in table, shared objects, and every way in which one is not a module.
#include "intake/open_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
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

// A copy of the module with one 16-bit field of its ELF header changed.
std::string with_header(std::streamoff at, uint16_t value) {
  const std::string path = testing::TempDir() + "/w4_other_header.so";
  std::ifstream from(W4_TEST_MODULE, std::ios::binary);
  std::ofstream to(path, std::ios::binary);
  to << from.rdbuf();
  to.seekp(at);
  to.write(reinterpret_cast<const char*>(&value), 2);
  return path;
}

TEST(OpenModule, OtherKindsOfElfFilesAreNamed) {
  constexpr std::streamoff kType = 16, kMachine = 18;
  EXPECT_THAT(
      refused(with_header(kMachine, 183)),
      HasSubstr("built for another architecture (ELF class 2, machine 183); legal: x86-64"));
  EXPECT_THAT(refused(with_header(kMachine, 224)), HasSubstr("device code"));
  EXPECT_THAT(refused(with_header(kType, 1)),
              HasSubstr("an object file (.o); legal: linked with -shared"));
  EXPECT_THAT(refused(testing::TempDir()), HasSubstr("not a file"));
}

// dlopen would map it, and die where the rest is missing.
TEST(OpenModule, ALibraryThatIsCutShortIsNamed) {
  std::ifstream in(W4_TEST_MODULE, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const std::string path = testing::TempDir() + "w4_cut_short.so";
  for (const size_t bytes : {size_t{70}, size_t{1000}, whole.size() / 4}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, bytes);
    const auto module = open_module(path);
    ASSERT_FALSE(module) << bytes;
    EXPECT_THAT(module.error().text, HasSubstr("cut short: it has " + std::to_string(bytes)));
  }
  std::filesystem::remove(path);
}

TEST(OpenModule, WhatIsNoModuleIsRefusedWithItsPathAndReason) {
  EXPECT_THAT(refused("/no/such/file.so"), HasSubstr("/no/such/file.so"));
  const std::string text = testing::TempDir() + "/w4_not_a_module.so";
  std::ofstream(text) << "text";
  EXPECT_THAT(refused(text), HasSubstr("no ELF header"));
  EXPECT_THAT(refused("libc.so.6"), HasSubstr("cannot open"));  // no search of library paths
  EXPECT_THAT(refused(W4_TEST_NO_ENTRY), HasSubstr("no entry w4_module_v1"));
  EXPECT_THAT(refused(W4_TEST_OTHER_VERSION), HasSubstr("interface version 2; legal: 1"));
  EXPECT_THAT(refused(W4_TEST_VERSION_0), HasSubstr("version 0 of module.h; legal: version 1"));
  EXPECT_THAT(refused(W4_TEST_OTHER_SIZE), HasSubstr("a w4_kernel of 8 bytes; legal: "));
  EXPECT_THAT(refused(W4_TEST_UNDEFINED_SYMBOL),
              HasSubstr("undefined symbol 'w4_defined_nowhere'; legal: linked with"));
  EXPECT_THAT(refused(W4_TEST_CXX_NAME), HasSubstr("has a C++ name; legal: extern \"C\""));
  EXPECT_THAT(refused(W4_TEST_NO_TABLE), HasSubstr("w4_module_v1 gave no table"));
  EXPECT_THAT(refused(W4_TEST_NO_PREPARE), HasSubstr("kernel 'decode': prepare: NULL"));
  EXPECT_THAT(refused(std::string("a\0b", 3)), HasSubstr("NUL"));
}

}  // namespace
}  // namespace w4
