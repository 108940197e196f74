#include "tests/rdna/triad.h"

namespace w4::rdna {

using K = FindingKind;

constexpr Triad row(const char* name, const Launch& launch, std::optional<int64_t> offset) {
  return {.name = name,
          .kind = K::lds_race,
          .launch = launch,
          .buffer = "LDS",
          .offset = offset,
          .other = Other::wave};
}

constexpr Launch kOne{.block = 128, .in = 512, .out = 512};

constexpr Triad kRows[] = {
    row("staging_without_barrier", kOne, {}),
    row("late_reader", kOne, 0),
    row("vectors", {.block = 128, .in = 512, .out = 512}, 0),
    row("refilled_too_early", {.block = 64, .in = 1024, .out = 256, .k = 4}, {}),
    row("double_buffer", {.block = 64, .in = 1024, .out = 256, .k = 4}, {}),
    row("reduction_tree", {.block = 256, .in = 1024, .out = 1024}, {}),
    row("one_slot_for_two", {.block = 64, .in = 256, .out = 256}, 0),
    row("bytes_of_two_waves", kOne, 0),
    // Who else counts there the shadow does not keep.
    {.name = "bins_read_too_early", .kind = K::lds_race, .launch = kOne, .buffer = "LDS"},
    // Where the clearing comes last, the others count in what was never written.
    {.name = "bins_cleared_too_late",
     .kind = K::lds_race,
     .launch = kOne,
     .buffer = "LDS",
     .other = Other::wave,
     .only_in = Order::rr},
    row("maximum_of_waves", kOne, 0),
};

const Triads kLdsRaceTriads{"ldsrace", kLdsRace, kRows};

}  // namespace w4::rdna
