#include "tests/rdna/triad.h"

namespace w4::rdna {

using K = FindingKind;

constexpr Triad kRows[] = {
    {.name = "two_lanes_one_element",
     .kind = K::double_write,
     .launch = {.block = 64, .out = 256},
     .buffer = "out",
     .offset = 0,
     .wave = 0,
     .lane = 1,
     .other = Other::lane},
    {.name = "halves_of_a_word",
     .kind = K::double_write,
     .launch = {.block = 64, .out = 128},
     .buffer = "out",
     .offset = 16,
     .wave = 0,
     .lane = 9,
     .other = Other::lane},
    {.name = "tiles_overlap",
     .kind = K::double_write,
     .before = K::global_race,
     .launch = {.grid = 2, .block = 32, .out = 256},
     .buffer = "out",
     .offset = 124,
     .lane = 0,
     .other = Other::workgroup},
    {.name = "atomic_and_plain",
     .kind = K::double_write,
     .before = K::global_race,
     .launch = {.grid = 2, .block = 32, .out = 256},
     .buffer = "out",
     .offset = 0,
     .lane = 0,
     .other = Other::workgroup,
     .only_in = Order::rr},
    {.name = "columns_without_a_tile",
     .kind = K::unwritten_output,
     .launch = {.grid = 2, .block = 32, .out = 160, .n = 40},
     .offset = 128},
    {.name = "row_of_the_upper_lanes",
     .kind = K::unwritten_output,
     .launch = {.block = 32, .out = 64},
     .offset = 32},
};

const Triads kWritersTriads{"writers", kWriters, kRows};

}  // namespace w4::rdna
