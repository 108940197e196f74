// Legal cases for every row of the kernel table that has a generator, in the vocabulary of
// decode_cases.h: the same choices, bent to what each row takes.
#pragma once

#include <span>
#include <string_view>

#include "verify/decode_cases.h"

namespace w4 {

// The rows that choose_case knows.
std::span<const std::string_view> generated_rows();

// A legal case of `row`, one of generated_rows(). Where the row is decode it is
// choose_decode_case(). limits.lds_edge: also K past the array that activations are staged in, for
// rows that have one.
Case choose_case(Chooser& choose, const CaseLimits& limits, std::string_view row);

}  // namespace w4
