#include "tests/rdna/triad.h"

namespace w4::rdna {

using K = FindingKind;

constexpr Launch kWave{.block = 32, .in = 128, .out = 128};

constexpr Triad used(const char* name) {
  return {.name = name,
          .kind = K::inactive_lane,
          .fast_kind = K::undefined_store,
          .launch = kWave,
          .lane = 3,
          .born = "lane 3 got the value of an inactive lane; read by .* at {BORN}.*"};
}
constexpr Triad wrong(const char* name, int64_t first) {
  return {.name = name, .launch = kWave, .offset = first};
}
constexpr Triad clean(const char* name) {
  return {.name = name, .launch = kWave, .only_clean = true};
}

constexpr Triad kRows[] = {
    used("permlanex16_in_a_branch"),
    used("bpermute_in_a_branch"),
    used("dpp_in_a_branch"),
    used("swizzle_in_a_branch"),
    clean("permlanex16_dropped"),
    clean("bpermute_dropped"),
    clean("dpp_dropped"),
    clean("swizzle_dropped"),
    clean("defined_reads"),
    {.name = "sum_over_a_partial_wave",
     .kind = K::inactive_lane,
     .fast_kind = K::undefined_store,
     .launch = {.block = 32, .in = 80, .out = 128, .n = 20},
     .lane = 0,
     .born = "lane [0-9]+ got the value of an inactive lane; read by .*"},
    wrong("quad_map_turned", 0),
    wrong("wrong_mirror", 0),
    wrong("selectors_swapped", 0),
};

const Triads kLanesTriads{"lanes", kLaneUse, kRows};

}  // namespace w4::rdna
