// Libraries that are opened at run time, and what is said where there is none.
#include "devices/dynamic_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "devices/device.h"

namespace w4 {
namespace {

using ::testing::HasSubstr;

TEST(DynamicLibrary, OpensTheFirstThatIsThere) {
  const std::vector<std::string> names{"libw4-no-such.so.7", "libm.so.6"};
  const auto opened = DynamicLibrary::open(names);
  ASSERT_TRUE(opened) << opened.error().text;
  EXPECT_EQ(opened->name(), "libm.so.6");
  double (*root)(double) = nullptr;
  opened->find("sqrt", root);
  ASSERT_NE(root, nullptr);
  EXPECT_EQ(root(9), 3);
  EXPECT_EQ(opened->find("w4_no_such_function"), nullptr);
}

TEST(DynamicLibrary, SaysWhatItLookedForAndWhy) {
  const std::vector<std::string> names{"libw4-no-such.so.7", "libw4-no-such.so.6"};
  const auto opened = DynamicLibrary::open(names);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text, HasSubstr("libw4-no-such.so.7, libw4-no-such.so.6"));
  EXPECT_THAT(opened.error().text, HasSubstr("No such file"));
}

// A library of ROCm's that lacks something is named, with what it lacks.
TEST(DynamicLibrary, HipSaysWhatIsNotThere) {
  setenv("W4_HIP_LIBRARY", "/no/such/libamdhip64.so", 1);
  const auto none = make_device("hip");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text, HasSubstr("device=hip: libamdhip64 (ROCm) is not installed"));
  EXPECT_THAT(none.error().text, HasSubstr("/no/such/libamdhip64.so"));
  setenv("W4_HIP_LIBRARY", "libm.so.6", 1);
  const auto other = make_device("hip");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().text, HasSubstr("libm.so.6 is no HIP runtime of ROCm 5 to 7: it has no "
                                            "hipInit"));
  unsetenv("W4_HIP_LIBRARY");
}

}  // namespace
}  // namespace w4
