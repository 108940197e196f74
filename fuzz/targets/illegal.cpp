#include "fuzz/cases.h"
#include "fuzz/inputs.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(illegal,
                 "cases with a clause broken on purpose are refused by one that is broken, outputs "
                 "untouched") {
  const Illegal input = illegal_input(bytes);
  must_be_refused(input.line, input.broken);
}

}  // namespace w4::fuzz
