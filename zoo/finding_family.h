// Findings that are one kind of trouble: what counts for one another when a mutant is hunted.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/finding.h"

namespace w4 {

enum class FindingFamily : uint8_t {
  memory,  // an access that is not its own: out of bounds, misaligned, read-only, past a limit
  value,   // a value nobody made, or an output made by none or by two
  order,   // races, barriers, waits
};
FindingFamily family_of(FindingKind k);
std::string_view name_of(FindingFamily f);

}  // namespace w4
