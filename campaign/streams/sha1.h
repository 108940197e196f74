// SHA-1 (FIPS 180-4), by which fuzzers name the inputs of a corpus: equal inputs have one name.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace w4 {

// 40 hex digits.
std::string sha1(std::span<const uint8_t> bytes);

}  // namespace w4
