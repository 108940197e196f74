// What guidance is compared with: inputs of uniform bytes through the same targets, without
// feedback.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "fuzz/target.h"

namespace w4::fuzz {

struct Budget {
  uint64_t seed = 1;
  std::optional<int64_t> runs{};     // inputs
  std::optional<int64_t> seconds{};  // of processor time, of the whole process
};

// The engine's words for them: -seed=, -runs=, -max_total_time=; no other.
Result<Budget> parse_budget(std::span<const std::string> words);

// kInputBytes uniform bytes, of a stream that `seed` and `number` determine.
std::vector<uint8_t> uniform_input(uint64_t seed, int64_t number);

// Until the budget is spent; a failure ends the process as under the engine. Targets of cases only.
Result<void> run_unguided(const Target& target, const Budget& budget);

}  // namespace w4::fuzz
