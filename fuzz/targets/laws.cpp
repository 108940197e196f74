#include "fuzz/cases.h"
#include "fuzz/inputs.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(laws, "small legal cases of every row keep the laws that fit it") {
  must_pass(law_input(bytes));
}

}  // namespace w4::fuzz
