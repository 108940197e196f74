// One verdict of every kind with every field off its default, for round trips and reports.
#pragma once

#include <limits>
#include <vector>

#include "results/record.h"

namespace w4::testing {

inline Worst sample_worst() {
  return {.m = 3,
          .n = 17,
          .got = -0.0,
          .low = -std::numeric_limits<double>::infinity(),
          .high = 0.1,
          .twin = 1e-300,
          .bound = 0x1.fffffffffffffp+1023,
          .ratio = -1.5};
}

inline Finding sample_finding() {
  return {.kind = FindingKind::lds_race,
          .kernel = "w4_decode<float, 4>",
          .at = {5, 3, 31, 0xFFFFFFFFFFFFFFFFu, "ds_load_b128 v[0:3], v4", "skinny.hip:42"},
          .other = Party{5, 2, -1, 0, "", ""},
          .buffer = "LDS",
          .offset = 65536,
          .bytes = 16,
          .detail = "no barrier between <wave 2> & \"wave 3\"",
          .born = "v_mov at 0x40",
          .trace = {"trace", "  v2"}};
}

inline std::vector<Verdict> sample_verdicts() {
  const Provenance ran{"0.1.0 abc Release", "00ff",    "gfx1151",           "document", "medium y4",
                       {"w4_a", "w4_b"},    "lda=256", 0xFFFFFFFFFFFFFFFFu, 0.25};
  const auto make = [&](std::vector<Outcome> o) { return make_verdict("decode m=2", o, ran); };
  Verdict with_law =
      make({Pass{sample_worst(), 0.5, 12, {.outputs = 64, .columns = 16, .sum = -0.1}}});
  with_law.ran.relation = Relation{12, 3, "no \"reason\""};
  return {
      make({HarnessError{"no memory"}}),
      make({Crash{11, "line one\nline two <&>\""}}),
      make({Timeout{1.5, 99, "step limit", {"trace of <wave 0>", "  v1 0x????1234"}}}),
      make({Unsupported{"v_foo", 0x123, "gfx12", {"registers"}}}),
      make({Found{{sample_finding(), sample_finding()}}, Mismatch{sample_worst(), 3, 64, "rows"}}),
      make({LawBroken{"power-of-two", "decode m=1", "decode m=2", 1, 2, "bits differ"}}),
      make({Mismatch{sample_worst(), 3, 64, "rows 0..2"}}),
      make({Accepted{"k.group", "K must be divisible by G"}}),
      make({Refused{"k.group", "K is 100", true, true}}),
      make({Refused{"k.group", "K is 100", false, false}}),
      make({Mistrusted{"most outputs are zero"}}),
      make({Skipped{SkipReason::no_code_object, "gfx1103"}}),
      with_law};
}

}  // namespace w4::testing
