#include "tests/rdna/triad.h"

namespace w4::rdna {

using K = FindingKind;

// 35 x 40 of y in tiles of 32 x 32.
constexpr Launch kTiles{.grid = 2,
                        .grid_y = 2,
                        .block = 64,
                        .in = 35 * 64 * 2,
                        .wei = 40 * 64 / 2,
                        .scale = 40 * 2 * 2,
                        .out = 35 * 40 * 4,
                        .m = 35,
                        .n = 40,
                        .k = 64,
                        .g = 32};
constexpr std::string_view kHalf = "f16_tile", kBrain = "bf16_tile";

// A row of a tile is 64 bytes at a pitch of 80; of the last row all but the first chunk is missing,
// in each of the two tiles.
constexpr Triad kRows[] = {
    {.name = "no_guard",
     .twin = kHalf,
     .kind = K::oob_read,
     .check = kBounds,
     .launch = kTiles,
     .buffer = "in",
     .offset = 35 * 64 * 2,
     .wave = 0,
     .lane = 12},
    {.name = "no_barrier",
     .twin = kBrain,
     .kind = K::lds_race,
     .check = kLdsRace,
     .launch = kTiles,
     .buffer = "LDS",
     .other = Other::wave},
    {.name = "no_barrier_before_refill",
     .twin = kHalf,
     .kind = K::lds_race,
     .check = kLdsRace,
     .launch = kTiles,
     .buffer = "LDS",
     .other = Other::wave},
    {.name = "short_staging",
     .twin = kHalf,
     .kind = K::undefined_store,
     .check = kUninit,
     .launch = kTiles,
     .born = "LDS byte [0-9]+ was never written in this workgroup, nor was any of bytes "
             "(2496 to 2559|5056 to 5119); `ds_store_.*` at {BORN} wrote as far as byte "
             "(2495|5055).*"},
    {.name = "rows_of_the_other_arch", .twin = kHalf, .launch = kTiles},
    {.name = "unequal_copies",
     .twin = kHalf,
     .kind = K::wmma_replication,
     .arch = Arch::gfx11,
     .check = kLaneUse,
     .launch = kTiles,
     .lane = 16},
    // gfx12 has no copies: the elements of another row.
    {.name = "unequal_copies", .twin = kHalf, .arch = Arch::gfx12, .launch = kTiles},
    {.name = "one_lane_off",
     .twin = kBrain,
     .kind = K::inactive_lane,
     .check = kLaneUse,
     .launch = kTiles,
     .lane = 13},
};

const Triads kGemmTriads{"gemm", 0, kRows};

}  // namespace w4::rdna
