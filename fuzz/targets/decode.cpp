// Bytes choose the structure of a small legal decode case, its seed fills the payload.
#include "fuzz/must_pass.h"
#include "fuzz/target.h"
#include "verify/cases/row_cases.h"

namespace w4::fuzz {

FUZZ_TARGET(decode) {
  ByteChooser choose(bytes);
  must_pass(choose_case(choose, {.n = 16, .k = 768, .large = false}, "decode"));
}

}  // namespace w4::fuzz
