#include "fuzz/cases.h"
#include "fuzz/inputs.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(rows, "legal cases of every row of the kernel table pass") {
  must_pass(legal_input(bytes, "rows"));
}

}  // namespace w4::fuzz
