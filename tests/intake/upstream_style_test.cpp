// A source of our own in upstream's style (examples/upstream_style), compiled by `w4check intake`:
// clean, and with one defect each. Every defect is caught through its own host launcher, and named
// by `w4check explain`.
#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "tests/campaign/process.h"
#include "zoo/edit.h"

namespace w4::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using w4::testing::Finished;
using w4::testing::read_file;
using w4::testing::TemporaryFolder;
using w4::testing::w4check;

constexpr const char* kSource = W4_SOURCE_DIR "/examples/upstream_style/skinny_w4a16.cu";
constexpr const char* kManifest = W4_SOURCE_DIR "/examples/upstream_style/skinny_w4a16.json";

// The source with the edit of this name applied, compiled into the folder.
std::string compiled(const TemporaryFolder& folder, const std::string& edit) {
  std::string text = read_file(kSource);
  if (!edit.empty()) {
    const auto edits =
        parse_edits(read_file(W4_SOURCE_DIR "/tests/intake/upstream_style/" + edit + ".edit"));
    if (!edits) throw std::runtime_error(edits.error().text);
    for (const Edit& e : *edits) {
      const auto edited = apply_edit(e, text);
      if (!edited) throw std::runtime_error(edited.error().text);
      text = *edited;
    }
  }
  const std::string source = folder.write("skinny_w4a16.cu", text);
  // -O1: what is judged are the arguments, and it compiles faster.
  const Finished done = w4check(
      {"intake", source, "--manifest", kManifest, "--flags=-O1", "-o", folder / "skinny.w4m"});
  if (done.code != 0) throw std::runtime_error(done.err);
  EXPECT_THAT(done.out, HasSubstr(" kernels for gfx1151"));
  EXPECT_THAT(done.out, HasSubstr("skinny_w4a16(tensor, tensor, tensor, optional tensor, optional "
                                  "tensor, int, int) returns tensor"));
  return folder / "skinny.w4m";
}

TEST(UpstreamStyle, clean) {
  const TemporaryFolder folder;
  const std::string module = compiled(folder, "");
  struct Line {
    const char* line;
    int code;
    const char* verdict;
  };
  for (const Line& l : {
           Line{"n=64 k=256 g=64", 0, "pass"},
           // Refused once it has the output's memory.
           Line{"m=3 k=128 g=64 zp=packed bias=4xn", 0, "refused: clause bias.shape"},
           Line{"m=2 k=128 g=64 cus=2147483647", 0, "pass"},
           Line{"m=2 k=128 g=64 cus=2147483648", 0, "refused: clause cus.positive"},
           Line{"m=5 n=24 k=1088 g=64 zp=packed bias=n", 0, "pass"},
           Line{"m=3 n=16 k=2560 g=128 act=bf16 zp=unpacked bias=mxn", 0, "pass"},
           Line{"m=2 n=40 k=256 g=128 bias=mx1", 0, "pass"},
           Line{"m=2 n=40 k=288 g=32 bias=1xn cus=3", 0, "pass"},
           // Both sides of the LDS array, on a device that reports more.
           Line{"m=1 n=8 k=32768 g=128 lds=163840", 0, "pass"},
           Line{"m=1 n=8 k=36864 g=128 lds=163840", 0, "pass"},
           Line{"m=2 n=64 k=512 g=32 law=permute_n", 0, "pass"},
           Line{"m=6", 0, "refused: clause m.range: M must be 1 to 5, got 6"},
           Line{"g=48 k=480", 0,
                "refused: clause group.size: group_size must be 32, 64 or 128, got 48"},
           Line{"k=272 g=32", 0,
                "refused: clause k.group: K must be divisible by group_size 32, got 272"},
           Line{"n=12 zp=packed", 0,
                "refused: clause zp.octet: N must be divisible by 8 with packed zero points, got "
                "12"},
           Line{"m=2 bias=3x5", 0,
                "refused: clause bias.shape: bias must be [N], or [1 or M, 1 or N], got [3, 5]"},
           Line{"act=f32", 0,
                "refused: clause act.dtype: act must be float16 or bfloat16, got float"},
           Line{"cus=0", 0,
                "refused: clause cus.positive: cu_count must be at least 1 and fit an int, got 0"},
           Line{"device=gfx1201", 1, "skipped: no_code_object"},
       }) {
    SCOPED_TRACE(l.line);
    const Finished done =
        w4check({"rerun", std::string("skinny_w4a16 ") + l.line + " module=" + module});
    EXPECT_EQ(done.code, l.code) << done.out << done.err;
    EXPECT_THAT(done.out, StartsWith(l.verdict));
  }
}

struct Defect {
  const char* edit;
  const char* line;
  const char* verdict;
  const char* named;  // by explain
};

class UpstreamStyleDefect : public ::testing::TestWithParam<Defect> {};

TEST_P(UpstreamStyleDefect, IsCaughtAndNamed) {
  const Defect& d = GetParam();
  const TemporaryFolder folder;
  const std::string line =
      std::string("skinny_w4a16 ") + d.line + " module=" + compiled(folder, d.edit);
  const Finished judged = w4check({"rerun", line});
  EXPECT_EQ(judged.code, 1) << judged.err;
  EXPECT_THAT(judged.out, StartsWith(d.verdict));
  const Finished explained = w4check({"explain", line});
  EXPECT_THAT(explained.out, HasSubstr(d.named)) << explained.err;
}

INSTANTIATE_TEST_SUITE_P(
    Defects, UpstreamStyleDefect,
    ::testing::Values(
        Defect{"g64_runs_128", "n=64 k=512 g=64", "mismatch", "hypothesis: group.size_and_stride"},
        Defect{"bias_row_stride_n", "m=2 n=40 k=256 g=128 bias=mx1", "finding: 1\n  oob_read",
               "hypothesis: bias.stride_n"},
        Defect{"lds_gate_asks_device", "n=8 k=36864 g=128 lds=163840", "finding: 1\n  lds_oob",
               "hypothesis: act.lds_truncated"},
        Defect{"zp_other_contract", "n=64 k=256 g=32 zp=unpacked", "mismatch",
               "hypothesis: zp.halves_read_as_words"},
        Defect{"tail_dropped", "m=2 n=16 k=288 g=32", "mismatch", "hypothesis: k.tail_dropped"},
        Defect{"group_16_accepted", "m=2 n=16 k=256 g=16",
               "accepted: the call ran although it breaks clause group.size",
               "the case breaks clause group.size"}),
    [](const auto& info) { return std::string(info.param.edit); });

}  // namespace
}  // namespace w4::test
