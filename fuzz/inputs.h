// The cases that targets make of their bytes (verify/cases/case_bytes.h), apart from the targets so
// that tests can say what a seed reaches. Total: every byte string is such a case.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verify/cases/case_bytes.h"

namespace w4::fuzz {

// The rows that a target named after legal cases takes: `decode`, `hybrid`, `prefill`, `moe`,
// `rows`.
std::span<const std::string_view> rows_of(std::string_view target);

// Its case: one of its rows, chosen by the third byte (cases.h).
Case legal_input(Bytes input, std::string_view target);

// As legal_input of this target, or of any row for targets that make something else of their
// inputs; its data have not been tried (verify/cases/row_cases.h). For choosing among inputs.
Case draft_input(Bytes input, std::string_view target);

// A legal case of any row with one of the laws that fit it. The row is chosen as above, here and
// below.
Case law_input(Bytes input);

// A legal case of any row with one of its declared clauses broken, in one of the ways that
// verify/cases/break_clause.h knows: by what Part::way says, or by the next way in turn that breaks
// something (a rule of the hybrid may belong to its other route).
struct Illegal {
  Case line;
  std::vector<std::string> broken;  // declared clauses, at least one
};
Illegal illegal_input(Bytes input);

// A small legal case of any row, in turn, and orders that it is run in besides: the input's own,
// and two of a seed that the fourth byte chooses.
struct Reordered {
  Case in_turn;
  std::vector<Schedule> orders;
};
Reordered schedules_input(Bytes input);

// A legal case of any row, for its weights alone; words that each row of the source tensors is
// longer than it must be, 0 to 4, by the fourth byte.
struct Checkpointed {
  Case line;
  int64_t more = 0;
};
Checkpointed preparation_input(Bytes input);

// Row, formats and what is unusual of it, by which the engine keeps inputs: "moe ct packed bf16
// padded".
std::string class_of(const Checkpointed& input);

}  // namespace w4::fuzz
