#include "tests/rdna/triad.h"

namespace w4::rdna {

using K = FindingKind;

constexpr Triad kRows[] = {
    {.name = "one_barrier_a_branch",
     .kind = K::barrier_divergence,
     .launch = {.block = 64, .out = 256},
     .wave = 1,
     .says = "arrived at the barrier",
     .other = Other::wave},
    {.name = "trip_count_of_the_wave",
     .kind = K::barrier_divergence,
     .launch = {.block = 64, .in = 256, .out = 256, .k = 2},
     .says = "arrived at the barrier",
     .other = Other::wave},
    {.name = "arrives_twice",
     .kind = K::barrier_divergence,
     .arch = Arch::gfx12,
     .launch = {.block = 64, .out = 256},
     .says = "signals a barrier twice",
     .always = true},
    {.name = "waits_without_arriving",
     .kind = K::deadlock,
     .arch = Arch::gfx12,
     .launch = {.block = 64, .out = 256},
     .wave = 1,
     .says = "did not signal",
     .always = true},
    {.name = "reads_between_the_halves",
     .kind = K::lds_race,
     .arch = Arch::gfx12,
     .check = kLdsRace,
     .launch = {.block = 64, .in = 256, .out = 256},
     .buffer = "LDS",
     .other = Other::wave},
    {.name = "waves_that_ended", .launch = {.block = 64, .out = 256}, .only_clean = true},
};

const Triads kBarrierTriads{"barrier", kBarrier, kRows};

}  // namespace w4::rdna
