// An Op as text, written from its fields alone: what the decoder understood, for round trips.
//   mnemonic dst, … <- src{mods}, … [clamp] [omod:N] [dpp:ctrl/rows/banks/bits] [#imm,imm]
// Registers as the assembler names them, constants in hexadecimal ("hi:lo" where 64 bits are read),
// an operand that is not there as "off". VOPD: "X :: Y".
#pragma once

#include <string>

#include "rdna/op.h"

namespace w4::rdna {

// `imms`: how many immediates to print.
std::string op_text(const Op& op, int imms);

}  // namespace w4::rdna
