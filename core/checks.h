// The emulator's checks by name: the key `checks` of a case line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace w4 {

enum Check : uint32_t {
  kBounds = 1,
  kUninit = 2,
  kLdsRace = 4,
  kBarrier = 8,
  kAlign = 16,
  kWriters = 32,
  kLaneUse = 64,  // values of inactive lanes used, matrix instructions without all lanes or copies
  kGlobalRace = 128,
  // Registers used before the wait that covers their load. Compilers place these waits, so it is
  // not one of `all`; kernels whose module says that they hold inline assembly get it with `all`.
  kWaits = 256,
  kAllChecks = kBounds | kUninit | kLdsRace | kBarrier | kAlign | kWriters | kLaneUse | kGlobalRace,
};

// Bits of Check.
struct Checks {
  uint32_t mask = kAllChecks;
  bool operator==(const Checks&) const = default;
};

inline constexpr std::string_view kLegalChecks =
    "none, or names joined by +: all bounds uninit ldsrace barrier align writers lanes globalrace "
    "waits; all is every one but waits, and waits too where the kernel holds inline assembly";

std::optional<Check> check_from(std::string_view name);
// Refuses unknown names and names that say a thing twice ("all+bounds").
Result<Checks> parse_checks(std::string_view text);
std::string to_string(Checks c);  // parse_checks's inverse; the shortest text

}  // namespace w4
