#include "tests/rdna/triad.h"

namespace w4::rdna {

using K = FindingKind;

constexpr Triad row(const char* name, Other other, const Launch& launch,
                    std::optional<int64_t> offset) {
  return {.name = name,
          .kind = K::global_race,
          .launch = launch,
          .buffer = "work",
          .offset = offset,
          .other = other};
}

constexpr Launch kWaves{.block = 64, .in = 256, .out = 256, .work = 256};
constexpr Launch kGroups{.grid = 2, .block = 32, .in = 256, .out = 256, .work = 512};

constexpr Triad kRows[] = {
    row("hands_on", Other::wave, kWaves, {}),
    row("takes_then_puts", Other::wave, kWaves, {}),
    row("parts_overlap", Other::workgroup, kGroups, 128),
    row("reads_the_neighbour", Other::workgroup, kGroups, {}),
    row("split_k", Other::workgroup, kGroups, 0),
    {.name = "clears_in_the_kernel",
     .kind = K::global_race,
     .launch = kGroups,
     .buffer = "work",
     .offset = 0,
     .other = Other::workgroup,
     .only_in = Order::reversed},
    row("swap_loop", Other::workgroup, kGroups, 0),
    row("bytes_of_two_waves", Other::wave, kWaves, 0),
    row("flag", Other::wave, {.block = 64, .in = 256, .out = 256, .work = 132}, {}),
    row("last_one_sums", Other::workgroup, kGroups, {}),
};

const Triads kGlobalRaceTriads{"globalrace", kGlobalRace, kRows};

}  // namespace w4::rdna
