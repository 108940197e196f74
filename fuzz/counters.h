// What a case showed, as the counters that libFuzzer reads besides its own
// (__libfuzzer_extra_counters): the engine keeps an input whose counters say something new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "verify/behaviour.h"

namespace w4::fuzz {

// A counter is a byte in which the engine tells eight classes of values apart: 8 * kCounters
// features. Few, because the engine clears and reads all of them for every input.
inline constexpr size_t kCounters = 1 << 16;

// Of the input that runs; the engine clears them before each.
std::span<uint8_t, kCounters> counters();

// Two ids that fall on one counter: the larger class stays.
void count(const Behaviour& b);

// The same for a class of inputs that launches do not show, by its words.
void count_class(std::string_view words);

}  // namespace w4::fuzz
