// Control flow as listings and audits see it.
#pragma once

#include <cstdint>

namespace w4::rdna {

// Where control goes after an instruction: to a target, or where a register says; what follows a
// call is reached by returning.
enum class Control : uint8_t {
  straight,
  conditional,
  jump,
  call,
  indirect,
  indirect_call,
  end  // of the wave, or what the emulator does not know
};

}  // namespace w4::rdna
