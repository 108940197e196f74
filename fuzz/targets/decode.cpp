// Bytes choose the structure of a small legal decode case, its seed fills the payload.
#include "fuzz/must_pass.h"
#include "fuzz/target.h"

namespace w4::fuzz {

FUZZ_TARGET(decode) {
  ByteChooser choose(bytes);
  must_pass(choose_decode_case(choose, {.n = 16, .k = 768, .lds_edge = false, .devices = {}}));
}

}  // namespace w4::fuzz
