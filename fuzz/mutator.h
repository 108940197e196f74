// How inputs of cases become others: by parts (verify/cases/case_bytes.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/target.h"

namespace w4::fuzz {

// One to three parts change.
std::vector<uint8_t> mutated(Bytes input, unsigned seed);

// Each part whole, of the one or of the other; a third of those where they differ is `b`'s, at
// least one.
std::vector<uint8_t> crossed(Bytes a, Bytes b, unsigned seed);

// Copies what fits and returns how much that is.
size_t write(const std::vector<uint8_t>& input, std::span<uint8_t> to);

}  // namespace w4::fuzz
