#include "fuzz/cases.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(rows, "legal cases of every row of the kernel table pass") {
  must_pass(case_of(bytes, small_cases(chosen_row(bytes, generated_rows()))));
}

}  // namespace w4::fuzz
