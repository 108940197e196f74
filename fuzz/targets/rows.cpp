// The first byte chooses a row of the kernel table, the others the structure of a small legal case
// of it, whose seed fills the payload.
#include "fuzz/must_pass.h"
#include "fuzz/target.h"
#include "verify/cases/row_cases.h"

namespace w4::fuzz {

FUZZ_TARGET(rows) {
  ByteChooser choose(bytes);
  const auto rows = generated_rows();
  const auto row = rows[static_cast<size_t>(choose.pick(static_cast<int>(rows.size())))];
  must_pass(choose_case(choose, {.n = 16, .k = 768, .large = false}, row));
}

}  // namespace w4::fuzz
