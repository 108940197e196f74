#include "tests/rdna/triad.h"

namespace w4::rdna {

using K = FindingKind;

constexpr Triad kRows[] = {
    {.name = "atomic_word",
     .kind = K::misaligned,
     .launch = {.block = 32, .out = 128, .work = 64},
     .lane = 5,
     .says = "atomic of 4 bytes"},
    {.name = "atomic_wide",
     .kind = K::misaligned,
     .launch = {.block = 32, .out = 128, .work = 64},
     .lane = 0,
     .says = "atomic of 8 bytes"},
    {.name = "atomic_swap",
     .kind = K::misaligned,
     .launch = {.block = 32, .out = 128, .work = 256, .m = 4},
     .lane = 0,
     .says = "not a multiple of 4"},
    {.name = "atomic_in_lds",
     .kind = K::misaligned,
     .launch = {.block = 32, .out = 128, .m = 4},
     .lane = 0,
     .says = "not a multiple of 4"},
    {.name = "unaligned_vectors",
     .launch = {.block = 32, .in = 640, .out = 128, .m = 2},
     .only_clean = true},
};

const Triads kAlignTriads{"align", kAlign, kRows};

}  // namespace w4::rdna
