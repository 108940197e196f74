#include "campaign/machine.h"

#include <gtest/gtest.h>

namespace w4 {
namespace {

TEST(Machine, IsItsProcessorCoresAndSystem) {
  EXPECT_EQ(
      machine_text("processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC 7R13\nmodel name : B\n", 2,
                   "Linux", "6.1.0-18-amd64"),
      "AMD EPYC 7R13, 2 cores, Linux 6.1");
  EXPECT_EQ(machine_text("", 1, "Linux", "6"), "unknown processor, 1 core, Linux 6");
  EXPECT_EQ(machine_text("model name\t:", 1, "Linux", "6.12"),
            "unknown processor, 1 core, Linux 6.12");
}

TEST(Machine, ThisOneHasCoresAndASystem) {
  const std::string text = this_machine();
  EXPECT_NE(text.find(" core"), std::string::npos) << text;
  EXPECT_NE(text.find("Linux "), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

}  // namespace
}  // namespace w4
