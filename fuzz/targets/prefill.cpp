#include "fuzz/cases.h"
#include "fuzz/inputs.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(prefill, "legal cases of the three forms of weights of the prefill pass") {
  must_pass(legal_input(bytes, "prefill"));
}

}  // namespace w4::fuzz
