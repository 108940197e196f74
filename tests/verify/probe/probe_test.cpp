// What the probe recovers of honest kernels is what they declare: every built-in kernel, both
// dtypes, every encoding, group size and bias shape it takes; and code of another compiler.
#include "verify/probe/probe.h"

#include <gmock/gmock.h>

#include <set>

namespace w4::probe {
namespace {

struct Honest {
  const char *kernel, *device;
  std::set<std::string> properties;  // that must have been recovered somewhere
  size_t least;                      // calls
  const char* module = "";
};

const std::set<std::string> kAll{"code values",      "zero-point encoding",
                                 "zero-point value", "weight codes",
                                 "scales",           "zero points",
                                 "bias n",           "bias 1xn",
                                 "bias mxn",         "bias 1x1",
                                 "bias mx1"};
const std::set<std::string> kExperts{"code values",      "zero-point encoding",
                                     "zero-point value", "weight codes",
                                     "scales",           "zero points"};

class HonestKernel : public testing::TestWithParam<Honest> {};

TEST_P(HonestKernel, DoesWhatItDeclares) {
  const Honest& h = GetParam();
  Context context;
  Case base;
  base.kernel = h.kernel;
  base.device = h.device;
  base.module = h.module;
  std::vector<std::string> left_out;
  const auto calls = calls_of(base, context, left_out);
  EXPECT_GE(calls.size(), h.least);
  std::set<std::string> recovered;
  for (const Case& line : calls) {
    const Probed p = probe(line, context);
    EXPECT_EQ(p.error, "") << to_string(line);
    for (const Property& x : p.properties) {
      EXPECT_NE(x.status, Status::differs) << to_string(line) << "\n"
                                           << x.name << ": " << x.declared << "\n"
                                           << x.recovered;
      if (x.status == Status::ok) recovered.insert(x.name);
    }
  }
  EXPECT_EQ(recovered, h.properties);
}

const std::set<std::string> kDense{"weight values", "weights",  "bias n",  "bias 1xn",
                                   "bias mxn",      "bias 1x1", "bias mx1"};
const std::set<std::string> kCarrier{"code values",
                                     "zero-point encoding",
                                     "zero-point value",
                                     "weight codes",
                                     "scales in the carrier",
                                     "zero points in the carrier",
                                     "bias n",
                                     "bias 1xn",
                                     "bias mxn",
                                     "bias 1x1",
                                     "bias mx1"};

INSTANTIATE_TEST_SUITE_P(
    Probe, HonestKernel,
    testing::Values(Honest{"decode", "gfx1151", kAll, 18}, Honest{"decode", "gfx1201", kAll, 18},
                    Honest{"chunked", "gfx1151", kAll, 12}, Honest{"prefill", "gfx1151", kAll, 36},
                    Honest{"prefill_dense", "gfx1151", kDense, 36},
                    Honest{"prefill_carrier", "gfx1151", kCarrier, 12},
                    Honest{"hybrid", "gfx1151", kAll, 30}, Honest{"moe", "gfx1151", kExperts, 12},
                    Honest{"moe_prefill", "gfx1151", kExperts, 12},
                    Honest{"w4a16", "gfx1151", kExperts, 6, W4_TRITON "/w4a16.json"},
                    Honest{"w4a16", "gfx1201", kExperts, 6, W4_TRITON "/w4a16.json"}),
    [](const auto& p) { return std::string(p.param.kernel) + "_" + p.param.device; });

}  // namespace
}  // namespace w4::probe
