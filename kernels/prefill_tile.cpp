#include "kernels/prefill_tile.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "kernels/prefill_args.h"

namespace w4 {
namespace {

constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
constexpr int kMaxSide = 128;

constexpr Tile tile(int bm, int bn, int bk, int w) {
  Tile t;
  t.gemm = true;
  t.bm = bm, t.bn = bn, t.bk = bk, t.w = w;
  return t;
}

// One row of the table: up to M = `most`. Tall (K >= 2N) comes first; wide where `factor` N's of
// the table's inequality hold: N >= factor * K, or N > K where factor is 1.
struct Row {
  int64_t most;
  Tile tall;
  int factor;
  Tile wide;
  Tile otherwise;
};

constexpr Row same(int64_t most, Tile t) { return {most, t, 1, t, t}; }

constexpr std::array kGfx12{
    same(32, tile(16, 16, 128, 4)),
    Row{64, tile(64, 32, 128, 8), 1, tile(64, 32, 64, 8), tile(32, 64, 128, 4)},
    Row{128, tile(64, 16, 64, 1), 2, tile(64, 128, 64, 8), tile(64, 64, 64, 8)},
    Row{512, tile(128, 64, 64, 8), 4, tile(128, 128, 64, 8), tile(64, 128, 64, 8)},
    Row{kAny, tile(128, 64, 64, 8), 4, tile(256, 64, 64, 8), tile(128, 128, 32, 8)}};

constexpr std::array kGfx1151{
    same(32, tile(32, 32, 128, 4)), same(64, tile(64, 64, 32, 4)),
    Row{128, tile(64, 16, 64, 1), 1, tile(64, 64, 64, 4), tile(64, 32, 64, 4)},
    Row{1024, tile(64, 64, 64, 4), 4, tile(128, 64, 64, 8), tile(64, 128, 32, 4)},
    Row{kAny, tile(128, 512, 32, 16), 4, tile(128, 64, 64, 8), tile(128, 64, 64, 8)}};

constexpr std::array kOther{same(32, tile(32, 64, 32, 4)), same(64, tile(64, 64, 32, 4)),
                            same(kAny, tile(128, 128, 32, 4))};

// gfx1151, M <= 128.
struct Override {
  int64_t g, k, n;
  Tile tile;
};
constexpr std::array kOverrides{Override{32, 2048, 6144, tile(128, 32, 32, 4)},
                                Override{32, 2048, 2048, tile(128, 32, 32, 4)},
                                Override{32, 2048, 16384, tile(128, 32, 32, 4)},
                                Override{32, 8192, 2048, tile(128, 64, 32, 8)},
                                Override{128, 4096, 6144, tile(128, 64, 128, 8)},
                                Override{128, 12288, 4096, tile(128, 64, 128, 8)},
                                Override{128, 4096, 4096, tile(128, 32, 128, 4)},
                                Override{128, 4096, 24576, tile(64, 32, 128, 2)}};
constexpr int64_t kOverrideM = 128;

// V3: fp16 on gfx1151 above 128 tokens.
Tile v3_half(int64_t m, int64_t n, int64_t k) {
  Tile t = m <= 256 ? tile(128, 128, 32, 8) : tile(128, 256, 32, 8);
  if (m >= 2048 && n <= 2048 && k >= 4096) t.bm = 64;
  if (n <= 1024 && m <= 512) t.bn = 32;
  return t;
}

// What is no RDNA chip runs what gfx1151 does, so that every depth runs there too.
bool as_gfx1151(std::string_view arch) {
  return arch == "gfx1151" || arch == "host" || arch == "cuda";
}

std::span<const Row> rows_of(std::string_view arch) {
  if (arch.starts_with("gfx12")) return kGfx12;
  if (as_gfx1151(arch)) return kGfx1151;
  return kOther;
}

bool is_wide(const Row& r, int64_t n, int64_t k) {
  if (r.factor == 1) return n > k;
  return n / r.factor >= k;  // n >= factor * k
}

int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }

}  // namespace

Tile prefill_wanted(std::string_view arch, w4_dtype act, int64_t m, int64_t n, int64_t k,
                    int64_t g) {
  if (as_gfx1151(arch)) {
    if (m <= kOverrideM) {
      for (const Override& o : kOverrides) {
        if (o.g == g && o.k == k && o.n == n) return o.tile;
      }
    } else if (act == W4_F16) {
      return v3_half(m, n, k);
    }
  }
  const auto rows = rows_of(arch);
  const Row& row = *std::ranges::find_if(rows, [&](const Row& r) { return m <= r.most; });
  if (k / 2 >= n) return row.tall;  // k >= 2n
  return is_wide(row, n, k) ? row.wide : row.otherwise;
}

std::vector<Tile> prefill_tiles(PrefillWeights weights) {
  std::vector<Tile> out;
#define W4_ROW(BM, BN, BK, ROWS, COLUMNS) out.push_back(tile(BM, BN, BK, (ROWS) * (COLUMNS)));
  W4_PREFILL_TILES_32(W4_ROW)
  if (weights == PrefillWeights::packed) {
    W4_PREFILL_TILES_DEEP(W4_ROW)
  }
#undef W4_ROW
  return out;
}

bool prefill_exists(const Tile& t, PrefillWeights weights) {
  const auto all = prefill_tiles(weights);
  return std::ranges::find(all, t) != all.end();
}

Tile prefill_given(const Tile& wanted, int64_t g, PrefillWeights weights) {
  const int bm = std::min(wanted.bm, kMaxSide), bn = std::min(wanted.bn, kMaxSide);
  const int64_t deepest = std::min<int64_t>(wanted.bk, g);
  Tile best;
  for (const Tile& t : prefill_tiles(weights)) {
    if (t.bm == bm && t.bn == bn && t.bk <= deepest && t.bk > best.bk) best = t;
  }
  return best;
}

std::vector<Tile> prefill_all_wanted(std::string_view arch) {
  std::vector<Tile> out;
  const auto add = [&](const Tile& t) {
    if (std::ranges::find(out, t) == out.end()) out.push_back(t);
  };
  for (const Row& r : rows_of(arch)) add(r.tall), add(r.wide), add(r.otherwise);
  if (as_gfx1151(arch)) {
    for (const Override& o : kOverrides) add(o.tile);
    for (const int bm : {64, 128}) {
      for (const int bn : {32, 128, 256}) add(tile(bm, bn, 32, 8));
    }
  }
  return out;
}

int64_t prefill_lds_bytes(const Tile& t) {
  return gemm_lds_bytes(static_cast<uint32_t>(t.bm), static_cast<uint32_t>(t.bn),
                        static_cast<uint32_t>(t.bk));
}

PrefillPlan plan_prefill(std::string_view arch, w4_dtype act, int64_t m, int64_t n, int64_t k,
                         int64_t g, PrefillWeights weights, const std::optional<Tile>& forced) {
  PrefillPlan plan;
  plan.tile = forced ? *forced : prefill_given(prefill_wanted(arch, act, m, n, k, g), g, weights);
  plan.tiles_m = ceil_div(m, plan.tile.bm);
  plan.blocks = plan.tiles_m * ceil_div(n, plan.tile.bn);
  return plan;
}

}  // namespace w4
