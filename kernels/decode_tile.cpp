#include "kernels/decode_tile.h"

#include <algorithm>

#include "core/contract.h"
#include "kernels/decode_args.h"

namespace w4 {
namespace {

int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }

constexpr int kWaves = static_cast<int>(kDecodeWaves);

Tile tile(int y, int u) { return {y, u, static_cast<int>(kDecodeChunk), kWaves}; }

}  // namespace

int mindiv(int64_t n, int64_t d, int most) {
  const int64_t passes = ceil_div(n, d * most);
  int waves = most;
  while (waves > 4 && ceil_div(n, d * (waves - 1)) == passes) waves--;
  return waves;
}

int64_t persistent_blocks(int64_t n, int64_t y, int waves, int64_t cu_count) {
  return std::min({cu_count, ceil_div(ceil_div(n, y), waves), kMaxWorkgroups});
}

bool decode_exists(DecodeForm form, int64_t m, int y, int u) {
#define W4_ROW(FORM, M, Y, U) \
  if (form == DecodeForm::FORM && m == M && y == Y && u == U) return true;
  W4_DECODE_TILES(W4_ROW)
#undef W4_ROW
  return false;
}

std::vector<Tile> decode_tiles(int64_t m) {
  std::vector<Tile> out;
#define W4_ROW(FORM, M, Y, U) \
  if (DecodeForm::FORM == DecodeForm::medium && m == M) out.push_back(tile(Y, U));
  W4_DECODE_TILES(W4_ROW)
#undef W4_ROW
  return out;
}

Tile decode_tile(int64_t m, int64_t n, int64_t k, int64_t cu_count, int64_t lds_elements) {
  const int64_t tiles_of_4 = ceil_div(n, 4 * cu_count);  // per CU: the table's sYT
  if (k * m > lds_elements) return tiles_of_4 < 30 ? tile(4, 2) : tile(4, 1);
  if (m >= 4 && tiles_of_4 >= 480) return tile(4, 1);
  if (m >= 3) {
    if (tiles_of_4 >= 40) return tile(4, 1);
    return k <= 2048 || k >= 4096 ? tile(2, 4) : tile(2, 2);
  }
  if (m == 2) return tile(2, 2);
  return tiles_of_4 >= 30 ? tile(2, 4) : tile(1, 4);
}

DecodePlan plan_decode(int64_t m, int64_t n, int64_t k, int64_t cu_count, int64_t lds_elements,
                       const std::optional<Tile>& forced) {
  const Tile t = forced ? *forced : decode_tile(m, n, k, cu_count, lds_elements);
  DecodePlan plan;
  plan.y = t.y;
  plan.u = t.u;
  const bool fits = k * m <= lds_elements && n % t.y == 0;
  plan.form = fits && decode_exists(DecodeForm::small, m, t.y, t.u) ? DecodeForm::small
                                                                    : DecodeForm::medium;
  plan.waves = mindiv(n, cu_count * t.y);
  plan.blocks = persistent_blocks(n, t.y, plan.waves, cu_count);
  return plan;
}

}  // namespace w4
