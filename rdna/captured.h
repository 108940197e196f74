// Instructions that GPUs carry out as the emulator does, by captures of silicon (docs/capture.md).
// The table is made by the build, which replays docs/hardware/*.json: an instruction of which one
// value differs is not in it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rdna/table.h"

namespace w4::rdna {

struct Captured {
  std::string_view mnemonic;
  int family;             // 11 or 12: chips of one are taken to be alike
  std::string_view file;  // "gfx1151-radeon-8060s.json"
};

// Once, before anything runs; `all` outlives the program. Without it there are none.
void set_captures(std::span<const Captured> all);

// What a result rests on where `family` runs with the arithmetic model that captures are held
// against (the family's own).
Evidence evidence_on(std::string_view mnemonic, int family);

// Of the row: hardware_capture where a family has one.
Evidence evidence_of(const Row& row);
// "gfx11 by gfx1151-radeon-8060s.json"; empty: no capture.
std::string captures_of(std::string_view mnemonic);

}  // namespace w4::rdna
