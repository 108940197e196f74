#include <array>

#include "fuzz/cases.h"

namespace w4::fuzz {

FUZZ_CASE_TARGET(moe, "legal cases of both kernels of experts pass") {
  constexpr std::array<std::string_view, 2> kRows{"moe", "moe_prefill"};
  must_pass(case_of(bytes, small_cases(chosen_row(bytes, kRows))));
}

}  // namespace w4::fuzz
