// A bias of the store that no single element shows (oracles.md 9).
#pragma once

#include <cstdint>
#include <span>

#include "reference/arrays.h"
#include "reference/twin.h"

namespace w4 {

// The mean over columns n of err sign(y) in output ulps, err = y - (y~ + b), is more than 6 of its
// own standard deviations from 0. On input: outputs of a random fill. False for fewer than 16
// columns.
bool mean_error_is_off(const Arrays& x, const Twin& twin, std::span<const uint16_t> y);

}  // namespace w4
