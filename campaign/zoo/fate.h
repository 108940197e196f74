// What a hunt says of a mutant, on a device that may have fewer checks than the emulator.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "campaign/zoo/results.h"

namespace w4::zoo {

enum class Fate : uint8_t {
  killed,
  survives,
  silent,   // what it declares are findings of checks (or audits) that the device does not have
  skipped,  // no case of it ran
  stale,
};
std::string_view name_of(Fate f);

struct Ended {
  Fate fate{};
  std::string why{};  // silent: what would show it; skipped, stale: the reason
};

// `device`: that all cases ran on; empty: those that the lines name.
Ended fate_of(const Row& row, std::string_view device);

}  // namespace w4::zoo
