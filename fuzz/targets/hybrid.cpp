#include "fuzz/cases.h"
#include "fuzz/inputs.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(hybrid, "legal cases of the hybrid pass, on both sides of its route") {
  must_pass(legal_input(bytes, "hybrid"));
}

}  // namespace w4::fuzz
