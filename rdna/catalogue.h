// What the instruction table says to its reader beyond how a row runs: the class of the ISA
// documents, the numerical exceptions with their sources, and the ctest that holds the reference.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rdna/table.h"

namespace w4::rdna {

// Encoding class as the ISA documents name it, of the shortest encoding that any arch has: VOP1,
// VOP2, VOPC, VOP3, VOP3P, WMMA (VOP3P of matrices), SOP1, SOP2, SOPC, SOPK, SOPP, SMEM, DS, FLAT,
// GLOBAL, SCRATCH, MUBUF.
std::string_view isa_class(std::string_view mnemonic);

// Where the result departs from IEEE arithmetic in the mode that MODE asks for, and who says so.
struct NumericException {
  std::string_view says, source;
};
std::vector<NumericException> numeric_exceptions(std::string_view mnemonic);

// The ctest that holds the reference of this row. One a class for the ALU: it fails for a row whose
// result nothing compared. Rows that need the machine are reached by programs and by tests of their
// own; there nothing counts them row by row.
std::string test_of(const Row& row);

}  // namespace w4::rdna
