#include <algorithm>
#include <array>

#include "campaign/suites/boundary.h"
#include "campaign/suites/models.h"
#include "campaign/suites/moe.h"
#include "campaign/suites/small.h"
#include "campaign/suites/smoke.h"
#include "campaign/suites/suite.h"
#include "campaign/suites/suite_floors.h"
#include "campaign/suites/sweep.h"

namespace w4 {
namespace {

constexpr std::array kSuites{
    Suite{"smoke",
          "A spread of everything: M 1-5, every G, both dtypes, all zero points, biases, sources, "
          "fills, schedules, pads, offsets and CU counts, N round tile and octet edges, some K*M "
          "round 32768, one refusal per clause; 120 cases of each other row",
          smoke_cases, false, smoke_floors},
    Suite{
        "boundary",
        "K*M at the LDS limits: decode's 32768 and 39321, chunked's 32768 and two pieces; for each "
        "G and M, K at them and one G to both sides; both dtypes; N whole and ragged; devices "
        "that report other LDS sizes; 65537 tiles of tokens, rows of activations gigabytes apart",
        boundary_cases, false, boundary_floors},
    Suite{
        "models",
        "Every accepted layer of eight models at TP 1-8, full N, each M of 1-5: through decode "
        "where the route sends it there (K*M <= 32768), through chunked past that; f16 for all, "
        "bf16 at M = 1 for TP 1; layers of TP 1 at M 6, 16, 64, 128 and 512 through prefill, their "
        "first rows of N only (whole tiles, about 2^26 products a case), all of K, the tile that "
        "the whole layer gets on gfx1151; through hybrid the last M that goes to decode and the "
        "next; zero points, "
        "source format and bias as the checkpoint has them; equal problems run once",
        model_cases, false, model_floors},
    Suite{"models-bf16",
          "The models suite with bf16 everywhere: what models leaves out (takes as long again)",
          model_cases_bf16, false, model_floors_bf16},
    Suite{"small",
          "Every N 1-64, K a multiple of G up to 2048 and M 1-5, for each G: f16 symmetric; bf16 "
          "with packed zero points where N is a whole octet, unpacked where it is odd; schedules "
          "and models of dot2 take turns; the fill is flat (minutes)",
          small_cases, false, small_floors},
    Suite{"sweep",
          "Every instantiation of every row once at shapes that reach its tails: each tile forced, "
          "each M, G, dtype and zero-point form, K with whole steps, one step and ragged lanes, N "
          "ragged where the row allows it; fails if one of them did not run",
          sweep_cases, true, sweep_floors},
    Suite{
        "moe",
        "Layers of experts: each combination of 1-5 tokens, block_m 1-5, G, dtype, zero points and "
        "order of rows, with routings, fills, pads and schedules in turn; every tile; both sides "
        "of both LDS arrays; fused silu; the shapes of Qwen3-30B-A3B with 16 of its 128 experts; "
        "prefill of 16 and 64 tokens with 8; one refusal per clause",
        moe_cases, false, moe_suite_floors},
};

}  // namespace

std::span<const Suite> suites() { return kSuites; }

const Suite* find_suite(std::string_view name) {
  const auto found = std::ranges::find(kSuites, name, &Suite::name);
  return found == kSuites.end() ? nullptr : &*found;
}

}  // namespace w4
