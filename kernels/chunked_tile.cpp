#include "kernels/chunked_tile.h"

#include <algorithm>

#include "kernels/chunked_args.h"
#include "kernels/decode_tile.h"

namespace w4 {
namespace {

int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }

Tile tile(int y, int u, int a = 16) { return {y, u, a, static_cast<int>(kChunkedWaves)}; }

struct Instantiation {
  ChunkedForm form;
  int64_t m;
  Tile tile;
  bool symmetric_only;
};

constexpr bool kboth = false, ksymmetric = true;
constexpr Instantiation kAll[] = {
#define W4_ROW(FORM, M, Y, U, A, ZPS) \
  {ChunkedForm::FORM, M, {Y, U, A, static_cast<int>(kChunkedWaves)}, k##ZPS},
    W4_CHUNKED_TILES(W4_ROW)
#undef W4_ROW
};

}  // namespace

bool chunked_fits(int64_t m, int64_t k) { return __int128{m} * k <= int64_t{kChunkedLdsElements}; }

bool chunked_exists(ChunkedForm form, int64_t m, const Tile& t, bool symmetric) {
  return std::ranges::any_of(kAll, [&](const Instantiation& i) {
    return i.form == form && i.m == m && i.tile == t && (symmetric || !i.symmetric_only);
  });
}

std::optional<ChunkedForm> chunked_form(int64_t m, int64_t k, const Tile& t, bool symmetric) {
  if (chunked_fits(m, k) && chunked_exists(ChunkedForm::resident, m, t, symmetric)) {
    return ChunkedForm::resident;
  }
  if (chunked_exists(ChunkedForm::chunked, m, t, symmetric)) return ChunkedForm::chunked;
  return {};
}

std::vector<Tile> chunked_tiles(int64_t m, int64_t k, bool symmetric) {
  std::vector<Tile> out;
  for (const Instantiation& i : kAll) {
    if (i.m == m && chunked_form(m, k, i.tile, symmetric) == i.form) out.push_back(i.tile);
  }
  return out;
}

Tile chunked_tile(int64_t m, int64_t n, int64_t k, int64_t cu_count, bool symmetric) {
  const int64_t tiles_of_4 = ceil_div(n, 4 * cu_count);  // per CU: the table's sYT
  // Tiles of 4 rows leave waves idle: smaller ones spread the rows better.
  const bool uneven = mindiv(n, 4 * cu_count) < int{kChunkedWaves};
  if (!chunked_fits(m, k)) {
    if (tiles_of_4 < 30) return tile(4, 2);
    return uneven ? tile(2, 2) : tile(4, 1);
  }
  if (m >= 3) {
    if (tiles_of_4 >= 40 && k >= 4096 && uneven) return tile(2, 2);
    if (tiles_of_4 >= 40) return tile(4, 1);  // V2's row for 480 and more says the same
    return k <= 2048 || k >= 4096 ? tile(2, 4) : tile(2, 2);
  }
  if (m == 2) return tile(2, 2);
  if (k == 4096) return tile(1, 4, 32);
  if (symmetric && k % 8192 == 0) return tile(2, 8, 32);
  return tiles_of_4 >= 30 ? tile(2, 4) : tile(1, 4);
}

ChunkedPlan plan_chunked(int64_t m, int64_t n, int64_t k, int64_t cu_count, bool symmetric,
                         const std::optional<Tile>& forced) {
  const Tile t = forced ? *forced : chunked_tile(m, n, k, cu_count, symmetric);
  ChunkedPlan plan;
  plan.form = chunked_form(m, k, t, symmetric).value_or(ChunkedForm::chunked);
  plan.y = t.y;
  plan.u = t.u;
  plan.a = t.a;
  plan.waves = mindiv(n, cu_count * t.y);
  plan.blocks = persistent_blocks(n, t.y, plan.waves, cu_count);
  plan.chunk = plan.form == ChunkedForm::resident
                   ? k
                   : walk_chunk(k, kChunkedLdsElements, m, walk_step(t.a, t.u));
  return plan;
}

}  // namespace w4
