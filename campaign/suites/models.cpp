#include "campaign/suites/models.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "core/contract.h"
#include "kernels/prefill_tile.h"

namespace w4 {
namespace {

// Models whose quantised checkpoints are compressed-tensors; the others are AWQ.
bool is_compressed_tensors(std::string_view model) {
  return model.starts_with("Qwen3-") || model.starts_with("Gemma-3-");
}

constexpr std::array<int64_t, 5> kPrefillTokens{6, 16, 64, 128, 512};

// Different models share layers: an equal problem is run once.
class Distinct {
 public:
  void add(Case c) {
    if (seen_.insert(to_string(c)).second) cases_.push_back(std::move(c));
  }
  std::vector<Case> take() { return std::move(cases_); }

 private:
  std::set<std::string> seen_;
  std::vector<Case> cases_;
};

void add_rows(Distinct& out, const ModelLayer& layer, DType act, int64_t max_m, uint64_t seed) {
  if (!layer.accepted) return;
  for (int64_t m = 1; m <= max_m; ++m) {
    Case c = case_of(layer, m, act, seed);
    // What V1's route leaves to prefill because of its K, V3's op takes itself.
    if (!routes_to_decode(m, layer.k)) c.kernel = "chunked";
    out.add(std::move(c));
  }
}

}  // namespace

Case case_of(const ModelLayer& layer, int64_t m, DType act, uint64_t seed) {
  Case c;
  c.kernel = "decode";
  c.problem.m = m;
  c.problem.n = layer.n;
  c.problem.k = layer.k;
  c.problem.g = layer.g;
  c.problem.act = act;
  c.problem.zp = layer.asymmetric ? ZpMode::packed : ZpMode::none;
  c.problem.src = is_compressed_tensors(layer.model) ? Source::ct : Source::awq;
  if (layer.bias) c.problem.bias = {.rank = 1, .dim = {Extent{}, Extent{}}};
  c.seed = seed;
  return c;
}

Case prefill_case_of(const ModelLayer& layer, int64_t m, DType act, uint64_t seed) {
  Case c = case_of(layer, m, act, seed);
  c.kernel = "prefill";
  const Tile wanted =
      prefill_wanted("gfx1151", act == DType::f16 ? W4_F16 : W4_BF16, m, layer.n, layer.k, layer.g);
  const Tile tile = prefill_given(wanted, layer.g, PrefillWeights::packed);
  const int64_t columns = kPrefillProducts / (layer.k * m) / tile.bn * tile.bn;
  c.problem.n = std::min(layer.n, std::max<int64_t>(columns, tile.bn));
  c.problem.tile = tile;
  return c;
}

namespace {

// The last M that the route sends to decode, and the next: the same call on both sides of it.
void add_route(Distinct& out, const ModelLayer& layer, uint64_t seed) {
  int64_t last = kMaxDecodeM;
  while (!routes_to_decode(last, layer.k)) --last;
  for (const int64_t m : {last, last + 1}) {
    Case c = prefill_case_of(layer, m, DType::f16, seed);
    c.kernel = "hybrid";
    c.problem.tile.reset();
    out.add(std::move(c));
  }
}

}  // namespace

std::vector<Case> model_cases(uint64_t seed) {
  Distinct out;
  for (const ModelLayer& layer : model_layers()) {
    add_rows(out, layer, DType::f16, kMaxDecodeM, seed);
    if (layer.tp == 1) add_rows(out, layer, DType::bf16, 1, seed);
  }
  for (const ModelLayer& layer : model_layers()) {
    if (layer.tp != 1 || !layer.accepted) continue;
    for (const int64_t m : kPrefillTokens) out.add(prefill_case_of(layer, m, DType::f16, seed));
    add_route(out, layer, seed);
  }
  return out.take();
}

std::vector<Case> model_cases_bf16(uint64_t seed) {
  Distinct out;
  for (const ModelLayer& layer : model_layers())
    add_rows(out, layer, DType::bf16, kMaxDecodeM, seed);
  return out.take();
}

}  // namespace w4
