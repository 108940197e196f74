// Code objects that may be anything: loading, listing and a short launch under every check must
// each end, with a reason where they refuse.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fuzz/target.h"

namespace w4::fuzz {

using Object = std::vector<std::byte>;

// The objects that W4_FUZZ_OBJECTS names, in that order.
const std::vector<Object>& whole_objects();

// Aborts where something is refused, alarmed or listed without a reason. `choose`: sizes of the
// launch, its schedule, now and then an emulator of another arch.
void load_and_launch(std::span<const std::byte> object, ByteChooser& choose);

}  // namespace w4::fuzz
