#include "fuzz/cases.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(hybrid, "legal cases of the hybrid pass, on both sides of its route") {
  must_pass(case_of(bytes, small_cases("hybrid")));
}

}  // namespace w4::fuzz
