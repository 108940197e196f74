#include "core/finding.h"

#include <gmock/gmock.h>

#include "core/gpu.h"

namespace w4 {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Finding, NamesGoBothWays) {
  int known = 0;
  for (int i = 0; i <= static_cast<int>(FindingKind::device_fault); ++i) {
    const auto kind = static_cast<FindingKind>(i);
    EXPECT_EQ(finding_kind_from(name_of(kind)), kind);
    ++known;
  }
  EXPECT_EQ(known, 21);
  EXPECT_EQ(finding_kind_from("oob"), std::nullopt);
}

TEST(Finding, PrintsBothPartiesAndThePlace) {
  Finding f{.kind = FindingKind::lds_race, .kernel = "decode"};
  f.at = {.workgroup = 3,
          .wave = 2,
          .lane = 17,
          .pc = 0x1a40,
          .instruction = "ds_load_b32 v1, v2",
          .source = "decode.hip:40"};
  f.other = Party{.workgroup = 3, .wave = 0, .lane = 5};
  f.buffer = "LDS";
  f.offset = 128;
  f.bytes = 4;
  f.detail = "no barrier between the write and the read";
  EXPECT_EQ(to_string(f),
            "lds_race in decode: no barrier between the write and the read\n"
            "  where: LDS byte 128, 4 bytes wide\n"
            "  by: workgroup 3 wave 2 lane 17 pc 0x1a40 `ds_load_b32 v1, v2` at decode.hip:40\n"
            "  earlier: workgroup 3 wave 0 lane 5");
}

TEST(Finding, LeavesOutWhatIsUnknown) {
  const std::string text = to_string(Finding{.kind = FindingKind::unwritten_output});
  EXPECT_EQ(text, "unwritten_output");
  Finding f{.kind = FindingKind::undefined_store};
  f.born = "register v7 at entry";
  EXPECT_THAT(to_string(f), HasSubstr("undefined since: register v7 at entry"));
  EXPECT_THAT(to_string(f), Not(HasSubstr("-1")));
}

TEST(Gpu, ReportsWgpsAndLds) {
  EXPECT_EQ(gpu_models().size(), 8u);
  for (const GpuModel& m : gpu_models()) {
    EXPECT_EQ(find_gpu(m.arch), &m);
    EXPECT_EQ(m.lds_per_block, 65536);
    EXPECT_EQ(m.wave, 32);
    EXPECT_EQ(m.family, m.arch.starts_with("gfx12") ? 12 : 11);
  }
  // contract.md 14: HIP counts WGPs, half the compute units.
  EXPECT_EQ(find_gpu("gfx1151")->wgps, 20);
  EXPECT_EQ(find_gpu("gfx1100")->wgps, 48);
  EXPECT_EQ(find_gpu("gfx1201")->wgps, 32);
  EXPECT_EQ(find_gpu("gfx942"), nullptr);
}

}  // namespace
}  // namespace w4
