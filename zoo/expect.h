// What is declared of a mutant, beside its edit: `<family>/<id>.expect`. One key a line, then
// words;
// '#' starts a comment.
//
//   covers  B40 K3            rows of docs/defects.md that this defect is, its own first
//   verdict finding mismatch  what the lines of its .case end in: kinds of core/verdict.h, or audit
//   finding oob_read          with verdict finding: the kinds expected
//   clause  zp.dtype          with verdict accepted or refused: the clauses
//   explain bias.stride_n     hypotheses of explain that are right, or none
//   rows    decode hybrid     kernels whose cases may show it
//   groups  64                device objects with the defect, by group size; default: all
//   acts    bf16              the same by activation dtype
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/finding.h"
#include "core/result.h"
#include "core/verdict.h"

namespace w4 {

struct Expect {
  std::vector<std::string> covers, clauses, explain, rows, acts;
  std::vector<VerdictKind> verdicts;
  bool audit = false;  // the audits of the table of kernels say it (verdict audit)
  std::vector<FindingKind> findings;
  std::vector<int64_t> groups;
};

// Errors name the line. At least `covers`, `verdict` and `rows` stand; `finding` and `clause` where
// the verdict needs them.
Result<Expect> parse_expect(std::string_view text);

}  // namespace w4
