// How the next input of cases is found: by parts (verify/cases/case_bytes.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fuzz/novelty.h"
#include "fuzz/target.h"

namespace w4::fuzz {

// The classes of the case that an input is (classes.h).
using ClassesOf = std::function<std::vector<uint64_t>(Bytes)>;

// One of eight a step from what the engine picked: `picked` changed (mutate_input) or, where the
// engine picked two, as often crossed with `other`. One of three uniform bytes, so that guidance is
// never far behind its absence. Otherwise the strangest to `seen` of eight times uniform bytes.
std::vector<uint8_t> next_input(Bytes picked, Bytes other, const Novelty& seen,
                                const ClassesOf& classes, unsigned seed);

// Each part whole, of the one or of the other; a third of those where they differ is `b`'s, at
// least one.
std::vector<uint8_t> crossed(Bytes a, Bytes b, unsigned seed);

// Copies what fits and returns how much that is.
size_t write(const std::vector<uint8_t>& input, std::span<uint8_t> to);

}  // namespace w4::fuzz
