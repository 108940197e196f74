#include "kernels/geometry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <vector>

#include "kernels/descriptors.h"
#include "kernels/moe_prefill_args.h"
#include "kernels/prefill_args.h"
#include "kernels/walk_args.h"

namespace w4 {
namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The number of a word like "m3" or "w8".
std::optional<int64_t> number_of(std::string_view word, char letter) {
  if (word.size() < 2 || word[0] != letter) return {};
  int64_t v = 0;
  const char* const end = word.data() + word.size();
  const auto [at, error] = std::from_chars(word.data() + 1, end, v);
  if (error != std::errc{} || at != end || v < 1) return {};
  return v;
}

// "medium m3 y2u4a16w16 w8 …" of decode, chunked and moe (walk.h): a wave makes y columns of all
// rows, its lanes split K; the workgroup's waves take the next y columns each.
std::optional<Geometry> walk(std::span<const std::string_view> words, bool experts) {
  if (words.size() < 4) return {};
  const auto m = number_of(words[1], 'm'), waves = number_of(words[3], 'w');
  const auto t = parse_tile(words[2]);
  if (!m || !waves || !t || t->gemm || t->y < 1 || t->u < 1 || t->a < 1) return {};
  Geometry g;
  g.family = "walk";
  g.m.tile = *m;
  g.n = {.tile = *waves * t->y, .wave = t->y};
  g.lane = t->a;
  g.step = walk_step(t->a, 1);
  g.unrolled = walk_step(t->a, t->u);
  g.blocks = experts;
  return g;
}

// How the waves of a workgroup share its tile: rows and columns of waves.
std::optional<std::array<int, 2>> waves_of(const Tile& t, bool experts) {
#define W4_ROW(BM, BN, BK, ROWS, COLUMNS) \
  if (t.bm == BM && t.bn == BN && t.bk == BK) return std::array<int, 2>{ROWS, COLUMNS};
  if (experts) {
    W4_MOE_PREFILL_TILES(W4_ROW)
  } else {
    W4_PREFILL_TILES(W4_ROW)
  }
#undef W4_ROW
  return {};
}

// "bm64bn64bk32w4 m64 …" of the prefill kernels, "m16 bm16bn32bk32w2 …" of moe_prefill
// (gemm_tile.h).
std::optional<Geometry> matrix(std::span<const std::string_view> words, bool experts) {
  if (words.size() < 2) return {};
  const auto t = parse_tile(words[experts ? 1 : 0]);
  if (!t || !t->gemm) return {};
  const auto waves = waves_of(*t, experts);
  if (!waves) return {};
  constexpr int64_t kMatrix = 16;
  Geometry g;
  g.family = "matrix";
  g.m = {.tile = t->bm, .wave = t->bm / (*waves)[0], .matrix = kMatrix};
  g.n = {.tile = t->bn, .wave = t->bn / (*waves)[1], .matrix = kMatrix};
  g.step = g.unrolled = t->bk;
  g.blocks = experts;
  return g;
}

}  // namespace

std::optional<Geometry> geometry_of(std::string_view instantiation, std::string_view symbol) {
  const auto words = words_of(instantiation);
  // Several launches of one call divide it in several ways.
  if (instantiation.contains(';')) return {};
  const auto of = [symbol](std::string_view family) { return symbol.starts_with(family); };
  if (of("w4_moe_prefill_")) return matrix(words, true);
  if (of("w4_prefill_")) return matrix(words, false);
  if (of("w4_moe_")) return walk(words, true);
  if (of("w4_decode_") || of("w4_chunked_")) return walk(words, false);
  return {};
}

}  // namespace w4
