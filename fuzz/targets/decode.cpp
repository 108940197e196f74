#include "fuzz/cases.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(decode, "small legal cases of the decode kernel pass") {
  must_pass(case_of(bytes, small_cases("decode")));
}

}  // namespace w4::fuzz
