#include <array>

#include "fuzz/cases.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(prefill, "legal cases of the three forms of weights of the prefill pass") {
  constexpr std::array<std::string_view, 3> kRows{"prefill", "prefill_dense", "prefill_carrier"};
  must_pass(case_of(bytes, small_cases(chosen_row(bytes, kRows))));
}

}  // namespace w4::fuzz
