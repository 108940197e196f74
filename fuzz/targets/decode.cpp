#include "fuzz/cases.h"
#include "fuzz/inputs.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(decode, "small legal cases of the decode kernel pass") {
  must_pass(legal_input(bytes, "decode"));
}

}  // namespace w4::fuzz
