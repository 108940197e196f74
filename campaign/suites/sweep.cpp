#include "campaign/suites/sweep.h"

#include <array>
#include <span>

#include "campaign/suites/moe.h"
#include "campaign/suites/suite.h"
#include "core/contract.h"
#include "kernels/chunked_tile.h"
#include "kernels/decode_tile.h"
#include "kernels/prefill_tile.h"

namespace w4 {
namespace {

constexpr std::array<int64_t, 3> kGroups{32, 64, 128};
constexpr std::array<DType, 2> kActs{DType::f16, DType::bf16};

// Whole octets and whole tiles; a rest for every tile of two rows and more. More tiles than one CU
// has waves: the walk over rows goes on.
constexpr int64_t kWholeN = 72, kRaggedN = 71;

// A whole step of U chunks, a step of one chunk, and lanes without one in the last (contract.md
// 6.4): all branches of the walk along K.
int64_t tailed_k(const Tile& t, int64_t g) {
  const int64_t step = 32 * int64_t{t.a};
  return step * t.u + step + g;
}

int64_t past_the_array(int64_t m, int64_t g) { return (kLdsElements / m / g + 1) * g; }

void add(std::vector<Case>& out, std::string_view kernel, int64_t m, int64_t n, int64_t k,
         int64_t g, DType act, ZpMode zp, const Tile& tile, uint64_t seed) {
  Case c = decode_case(m, n, k, g, act, seed);
  c.kernel = kernel;
  c.problem.zp = zp;
  c.problem.tile = tile;
  c.problem.cus = 1;
  out.push_back(std::move(c));
}

void add_decode(std::vector<Case>& out, int64_t m, int64_t g, DType act, uint64_t seed) {
  for (const Tile& t : decode_tiles(m)) {
    for (const ZpMode zp : {ZpMode::none, ZpMode::packed, ZpMode::unpacked}) {
      const auto at = [&](int64_t n, int64_t k) {
        add(out, "decode", m, n, k, g, act, zp, t, seed);
      };
      at(kWholeN, tailed_k(t, g));  // small where there is one
      // Medium: past the array, which is read from memory there.
      at(zp == ZpMode::packed ? 8 : 7, past_the_array(m, g));
      if (zp != ZpMode::packed) at(kRaggedN, tailed_k(t, g));  // medium, its last tile moved back
    }
  }
}

void add_chunked(std::vector<Case>& out, int64_t m, int64_t g, DType act, uint64_t seed) {
  for (const ZpMode zp : {ZpMode::none, ZpMode::packed}) {
    const int64_t n = zp == ZpMode::none ? kRaggedN : kWholeN;
    const bool symmetric = zp == ZpMode::none;
    // Every tile at a K that suits it; whether the array holds it chooses between the two forms.
    const int64_t past = past_the_array(m, g);
    for (const Tile& t : chunked_tiles(m, g, symmetric)) {
      const int64_t k = tailed_k(t, g);
      if (chunked_form(m, k, t, symmetric)) {
        add(out, "chunked", m, n, k, g, act, zp, t, seed);
      }
    }
    for (const Tile& t : chunked_tiles(m, past, symmetric)) {
      add(out, "chunked", m, zp == ZpMode::none ? 7 : 8, past, g, act, zp, t, seed);
    }
  }
}

// M and N one short of two tiles and one past one: whole tiles, ragged ones and the last rows of
// none. K two groups, so that every tile of K but the last has a next one.
void add_prefill(std::vector<Case>& out, std::string_view kernel, PrefillWeights weights,
                 std::span<const ZpMode> zero_points, DType act, uint64_t seed) {
  size_t turn = 0;
  for (const Tile& t : prefill_tiles(weights)) {
    for (const ZpMode zp : zero_points) {
      for (const int64_t g : kGroups) {
        if (t.bk > g) continue;
        const bool past = turn++ % 2 == 0;
        const int64_t m = past ? t.bm + 1 : 2 * t.bm - 1;
        const int64_t n = past ? 2 * t.bn - 1 : t.bn + 1;
        add(out, kernel, m, zp == ZpMode::packed ? (n + 7) / 8 * 8 : n, 2 * g, g, act, zp, t, seed);
      }
    }
  }
}

void add_prefill_rows(std::vector<Case>& out, DType act, uint64_t seed) {
  constexpr std::array<ZpMode, 3> kAll{ZpMode::none, ZpMode::packed, ZpMode::unpacked};
  const std::span all(kAll);
  add_prefill(out, "prefill", PrefillWeights::packed, all, act, seed);
  add_prefill(out, "prefill_dense", PrefillWeights::dense, all.first(1), act, seed);
  add_prefill(out, "prefill_carrier", PrefillWeights::carrier, all.subspan(1, 1), act, seed);
}

}  // namespace

std::vector<Case> sweep_cases(uint64_t seed) {
  std::vector<Case> out;
  for (const int64_t g : kGroups) {
    for (const DType act : kActs) {
      for (int64_t m = 1; m <= kMaxDecodeM; ++m) {
        add_decode(out, m, g, act, seed);
        add_chunked(out, m, g, act, seed);
      }
    }
  }
  for (const DType act : kActs) add_prefill_rows(out, act, seed);
  for (Case& c : moe_instantiations(seed)) out.push_back(std::move(c));
  return out;
}

}  // namespace w4
