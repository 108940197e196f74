// Gaussian numbers from integers alone: a table of the inverse distribution function, so that the
// same bits give the same number on every machine (no libm, no std:: distribution).
#pragma once

#include <cstdint>

namespace w4 {

// A standard normal deviate in units of 2^-12, within +-3.3 sigma, from the low 16 bits of `bits`.
int64_t gauss(uint64_t bits);

}  // namespace w4
