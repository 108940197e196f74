// How one lane's defined bits go through a vector instruction, by the Flow of its row. Result bits
// are 64, low word first.
#pragma once

#include <cstdint>

#include "rdna/table.h"

namespace w4::rdna {

struct Bits {
  uint64_t d = 0;  // which bits are defined
  uint64_t v = 0;  // the value
};

// Defined bits of the result of n sources in lane `lane`; 0 where the flow knows nothing.
uint64_t exact_flow(const Row& row, const Bits* s, int n, int lane);

// Destination bits that a 16-bit result leaves alone.
uint32_t kept_bits(const Op& op, std::string_view mnemonic);

}  // namespace w4::rdna
