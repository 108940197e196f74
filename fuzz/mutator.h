// How inputs of cases become others: by parts (verify/cases/case_bytes.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/archive.h"
#include "fuzz/target.h"

namespace w4::fuzz {

// At first, and of every four one, an input of uniform bytes, so that guidance is not far behind
// its absence where nothing shows the way. Otherwise mutate_input of the input that the engine
// picked or as often of a rare one of the archive.
std::vector<uint8_t> mutated(Bytes input, const Archive& archive, unsigned seed);

// Each part whole, of the one or of the other; a third of those where they differ is `b`'s, at
// least one.
std::vector<uint8_t> crossed(Bytes a, Bytes b, unsigned seed);

// Copies what fits and returns how much that is.
size_t write(const std::vector<uint8_t>& input, std::span<uint8_t> to);

}  // namespace w4::fuzz
