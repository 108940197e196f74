#include "fuzz/cases.h"
#include "fuzz/inputs.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(moe, "legal cases of both kernels of experts pass") {
  must_pass(legal_input(bytes, "moe"));
}

}  // namespace w4::fuzz
