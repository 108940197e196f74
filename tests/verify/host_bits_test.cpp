// The second opinion: the kernels' source, compiled for the CPU, must give the bits that their
// machine code gives in the emulator. The instruction handlers on one side, the compiler's scalar
// code on the other; they share the model of the dot product (devices/host_dot2.h), the kernel's
// source and the launch.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>

#include "campaign/suites/suite.h"
#include "core/dtypes.h"
#include "verify/prepared_call.h"

namespace w4 {
namespace {

Result<std::vector<uint16_t>> bits_of(Case c, std::string_view device, Context& context) {
  c.device = device;
  auto call = PreparedCall::make(c, context);
  if (!call) return std::unexpected(call.error());
  if (auto ran = call->run(); !ran) return std::unexpected(ran.error());
  return call->output();
}

class HostBits : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

// NaNs are one value here: which of them an operation makes differs between x86 and RDNA.
void expect_equal(const Case& c, const std::vector<uint16_t>& a, const std::vector<uint16_t>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const bool nans =
        std::isnan(to_f64(c.problem.act, a[i])) && std::isnan(to_f64(c.problem.act, b[i]));
    ASSERT_TRUE(a[i] == b[i] || nans)
        << "element " << i << ": " << std::hex << a[i] << " emulated, " << b[i] << " on the host\n"
        << to_string(c);
  }
}

// Every legal case of smoke of moderate size, a fifth of the others' turn each.
TEST_P(HostBits, AreTheEmulators) {
  const auto [arch, fp] = GetParam();
  Context context;
  size_t turn = 0, compared = 0;
  for (Case c : find_suite("smoke")->cases(1)) {
    const Problem& p = c.problem;
    if (p.n > 1000 || p.k > 4224 || p.m > 5 || turn++ % 5 != 0) continue;
    c.fp = fp;
    c.checks = "none";
    const auto emulated = bits_of(c, arch, context);
    const auto host = bits_of(c, "host", context);
    ASSERT_EQ(emulated.has_value(), host.has_value())
        << to_string(c) << (host ? "" : host.error().text);
    if (!emulated) {
      EXPECT_EQ(emulated.error().text, host.error().text);
      continue;
    }
    expect_equal(c, *emulated, *host);
    ++compared;
  }
  EXPECT_GE(compared, 300u);
}

INSTANTIATE_TEST_SUITE_P(, HostBits,
                         testing::Combine(testing::Values("gfx1151", "gfx1201"),
                                          testing::Values("ieee", "gfx1151")),
                         [](const auto& p) {
                           return std::string(std::get<0>(p.param)) + "_fp_" + std::get<1>(p.param);
                         });

}  // namespace
}  // namespace w4
