#include "tests/rdna/triad.h"

namespace w4::rdna {

using K = FindingKind;

constexpr Launch kGood{.block = 64, .out = 256};

constexpr Triad row(const char* name, const Launch& faulty, const char* says) {
  return {.name = name, .kind = K::limit, .launch = kGood, .faulty = faulty, .says = says};
}

constexpr Triad kRows[] = {
    {.name = "too_much_lds",
     .kind = K::limit,
     .launch = {.block = 64, .dynamic_lds = 65536, .out = 256},
     .faulty = Launch{.block = 64, .dynamic_lds = 65537, .out = 256},
     .says = "65537 bytes of LDS"},
    row("more_threads_than_compiled_for", {.block = 65, .out = 260}, "compiled for at most 64"),
    row("block_of_too_many_threads", {.block = 1025, .out = 256}, "more than 1024 threads"),
    row("grid_too_high", {.grid_y = 65536, .block = 64, .out = 256}, "grid 1x65536x1"),
    row("arguments_too_short", {.block = 64, .out = 256, .missing_argument_bytes = 8},
        "48 bytes of arguments: the kernel's explicit ones take 56"),
    row("arguments_too_long", {.block = 64, .out = 256, .missing_argument_bytes = -512},
        "bytes of arguments: the kernel takes"),
    row("empty_grid", {.grid = 0, .block = 64, .out = 256}, "zero"),
    {.name = "spin", .launch = {.block = 32, .out = 128, .m = 10}, .only_clean = true},
};

const Triads kLimitTriads{"limit", 0, kRows};

}  // namespace w4::rdna
