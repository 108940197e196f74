#include "kernels/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/gpu.h"

namespace w4 {
namespace {

using testing::HasSubstr;

const Entry& hybrid() { return builtin_selection().entries[1]; }

std::string winner(const Layer& l, std::vector<std::string> disabled = {}) {
  const Entry* e = select(builtin_selection(), l, disabled);
  return e == nullptr ? "none" : e->name;
}

TEST(Selection, GoldenLayersGoWhereTheUpstreamTestSends) {
  for (const Golden& g : builtin_selection().golden) {
    EXPECT_EQ(winner(g.layer), g.winner) << to_string(g.layer);
  }
  EXPECT_EQ(winner({"gfx1100", "uint4b8", "f16", 128, 1024, 256, false}), "RDNA3W4A16");
  EXPECT_EQ(winner({"gfx1201", "uint4", "bf16", 64, 512, 512, false}), "RDNAHybridW4A16");
  EXPECT_EQ(winner({"gfx942", "uint4", "bf16", 64, 512, 512, false}), "TritonW4A16");
}

TEST(Selection, DisabledEntriesAreSkippedByName) {
  const Layer l{"gfx1151", "uint4b8", "f16", 128, 1024, 256, false};
  EXPECT_EQ(winner(l, {"RDNAHybridW4A16"}), "TritonW4A16");
  EXPECT_EQ(winner(l, {"RDNAHybridW4A16", "TritonW4A16"}), "Conch");
  EXPECT_EQ(winner(l, {"RDNAHybridW4A16", "TritonW4A16", "Conch"}), "Exllama");
  EXPECT_EQ(winner(l, {"RDNAHybridW4A16", "TritonW4A16", "Conch", "Exllama"}), "none");
}

// One layer for each rule, in the order of can_implement: the first that breaks speaks.
TEST(Selection, EveryRuleOfTheHybridDeclinesWithItsValue) {
  const auto why = [](auto&& change) {
    Layer l{"gfx1151", "uint4", "f16", 128, 1024, 256, false};
    change(l);
    return declined(hybrid(), l).value_or("taken");
  };
  EXPECT_EQ(why([](Layer&) {}), "taken");
  EXPECT_THAT(why([](Layer& l) { l.arch = "gfx942"; }), HasSubstr("arch is gfx942; legal: gfx11*"));
  EXPECT_THAT(why([](Layer& l) { l.type = "uint8"; }), HasSubstr("quant type is uint8"));
  EXPECT_THAT(why([](Layer& l) { l.act = "f32"; }), HasSubstr("activation dtype is f32"));
  EXPECT_THAT(why([](Layer& l) { l.g_idx = true; }), HasSubstr("g_idx is in act-order"));
  EXPECT_THAT(why([](Layer& l) { l.g = 256; }), HasSubstr("group size is 256"));
  EXPECT_THAT(why([](Layer& l) { l.g = -1; }), HasSubstr("group size is -1"));
  EXPECT_THAT(why([](Layer& l) { l.k = 1000; }), HasSubstr("K is 1000; legal: multiples of 16"));
  EXPECT_THAT(why([](Layer& l) { l.k = 1088; }), HasSubstr("multiples of the group size 128"));
  EXPECT_THAT(why([](Layer& l) { l.n = 12; }), HasSubstr("N with zero points is 12"));
  EXPECT_EQ(why([](Layer& l) { l.n = 12, l.type = "uint4b8"; }), "taken");
  EXPECT_THAT(why([](Layer& l) { l.g = 16, l.n = 12, l.act = "f32"; }), HasSubstr("activation"));
}

TEST(Selection, MinimumCapabilityIsTheDevicesMajorAndMinor) {
  EXPECT_EQ(capability("gfx1151"), 115);
  EXPECT_EQ(capability("gfx1201"), 120);
  EXPECT_EQ(capability("gfx90a"), 90);
  EXPECT_EQ(capability("gfx942"), 94);
  for (const char* no : {"", "sm_90", "gfx", "gfx1", "gfxabcd", "gfx115100"}) {
    EXPECT_EQ(capability(no), 0) << no;
  }
  Entry late = hybrid();
  late.min_capability = 116;
  EXPECT_FALSE(takes(late, Layer{}));
  late.min_capability = 115;
  EXPECT_TRUE(takes(late, Layer{}));
}

// One table of archs: every arch of it is asked about, and the hybrid's names cover exactly those.
TEST(Selection, ArchsComeFromOneTable) {
  for (const GpuModel& gpu : gpu_models()) {
    EXPECT_NE(std::ranges::find(selection_archs(), gpu.arch), selection_archs().end());
    EXPECT_EQ(declined(hybrid(), Layer{std::string(gpu.arch)}), std::nullopt) << gpu.arch;
  }
  for (const std::string_view arch : selection_archs()) {
    EXPECT_GT(capability(arch), 0) << arch;
    EXPECT_EQ(find_gpu(arch) != nullptr, !declined(hybrid(), Layer{std::string(arch)})) << arch;
  }
}

}  // namespace
}  // namespace w4
