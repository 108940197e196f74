#include "verify/cases/shapes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "verify/cases/model_layers.h"

namespace w4 {
namespace {

int64_t multiple_below(int64_t limit, int64_t of) { return limit / of * of; }

std::vector<const ModelLayer*> accepted_layers() {
  std::vector<const ModelLayer*> out;
  for (const ModelLayer& l : model_layers()) {
    if (l.accepted) out.push_back(&l);
  }
  return out;
}

const ModelLayer& choose_layer(Chooser& choose) {
  static const std::vector<const ModelLayer*> layers = accepted_layers();
  return *layers[static_cast<size_t>(choose.pick(static_cast<int>(layers.size())))];
}

// Whole steps of a wave are 512 elements at one chunk of 16 a lane, times the unroll; one group is
// the shortest K.
int64_t choose_short_k(Chooser& choose, int64_t limit, int64_t g) {
  const int64_t most = std::max(g, multiple_below(limit, g));
  const int64_t steps = 512 * (1 + pick64(choose, std::max<int64_t>(1, limit / 512)));
  switch (choose.pick(4)) {
    case 0:
      return g;
    case 1:
      return g * (1 + pick64(choose, most / g));
    case 2:
      return std::min(most, steps);
    default:
      return std::max(g, std::min(most, steps + g * (2 * pick64(choose, 2) - 1)));
  }
}

// The last multiple of G with K*rows in the array (the array just full where rows divides it), its
// neighbours, the longest that is taken, and what lies between.
int64_t choose_k_round(Chooser& choose, int64_t rows, int64_t g, const StagingArray& array) {
  const int64_t fits = multiple_below(array.elements / rows, g);
  const int64_t most = std::max(fits, multiple_below(array.most / rows, g));
  switch (choose.pick(5)) {
    case 0:
      return fits;
    case 1:
      return std::min(fits + g, most);
    case 2:
      return most;
    case 3:
      return std::max(g, fits - g);
    default:
      return fits + g * pick64(choose, (most - fits) / g + 1);
  }
}

// Steps of every unroll and chunk (contract.md 6.4: 512 to 8192), whole and a group away.
int64_t choose_long_steps(Chooser& choose, int64_t g) {
  constexpr std::array<int64_t, 8> kSteps{2048, 2048, 4096, 2560, 3072, 4096, 6144, 8192};
  return one_of(choose, kSteps) + g * (pick64(choose, 3) - 1);
}

// More groups than a group has elements: K/G at G, and past it. Mostly of the smaller G, where K is
// shorter.
void choose_many_groups(Chooser& choose, Problem& p) {
  constexpr std::array<int64_t, 6> kOften{32, 32, 32, 64, 64, 128};
  p.g = one_of(choose, kOften);
  p.k = p.g * (p.g + pick64(choose, 9));
}

constexpr std::array<int64_t, 3> kGroups{32, 64, 128};

// Whether the checkpoint has its tables the other way round, [K/G,N] and [K/G,N/8].
bool groups_first(const Problem& p) {
  return p.src == Source::awq || p.src == Source::gptq1 || p.src == Source::gptq2;
}

// From the N of a layer.
constexpr std::array<int64_t, 5> kNear{0, -1, 1, -8, 8};

}  // namespace

void choose_depth(Chooser& choose, const CaseLimits& limits, Problem& p, int64_t rows,
                  const StagingArray& array) {
  choose.about(Part::depth);
  p.g = one_of(choose, kGroups);
  // About one in five is large.
  int kind = limits.large && !limits.mostly_large ? choose.pick(24) : 0;
  if (limits.large && limits.mostly_large) kind = 18 + choose.pick(6);
  if (kind < 19 || (kind == 19 && array.elements == 0)) {
    p.k = choose_short_k(choose, limits.k, p.g);
  } else if (kind == 19) {
    p.k = choose_k_round(choose, rows, p.g, array);
  } else if (kind == 20) {
    choose_many_groups(choose, p);
  } else if (kind < 23) {
    const ModelLayer& layer = choose_layer(choose);
    p.g = layer.g;
    p.k = layer.k + p.g * (pick64(choose, 3) - 1);
  } else {
    p.k = choose_long_steps(choose, p.g);
  }
  if (array.most > 0) p.k = std::min(p.k, std::max(p.g, multiple_below(array.most / rows, p.g)));
}

bool wants_octets(const Problem& p) {
  return p.zp == ZpMode::packed || p.src == Source::awq ||
         (p.zp != ZpMode::none && p.src != Source::shuffled);
}

void choose_columns(Chooser& choose, const CaseLimits& limits, Problem& p, int64_t rows,
                    int64_t products) {
  choose.about(Part::columns);
  constexpr std::array<int64_t, 20> kEdges{8,  1,  2,  3,  4,  5,  7,  9,  15,  16,
                                           17, 24, 31, 32, 33, 63, 64, 65, 127, 129};
  // A row costs a wave a whole step of 512 however short it is.
  int64_t fits = std::max<int64_t>(8, products / (std::max<int64_t>(p.k, 512) * rows));
  const int kind = choose.pick(64);
  if (groups_first(p) && one_in(choose, 4)) {
    p.n = 8 * groups(p);
    fits *= 8;
  } else if (kind < 32) {
    p.n = one_of(choose, kEdges);
  } else if (kind < (limits.mostly_large ? 48 : 62) || !limits.large) {
    p.n = 1 + pick64(choose, limits.n);
  } else {
    p.n = choose_layer(choose).n + one_of(choose, kNear);
    fits *= 8;
  }
  if (!limits.large) p.n = std::min(p.n, limits.n);
  // Fewer with the same place in an octet.
  if (p.n > fits) p.n = std::max<int64_t>(1, fits / 8 * 8 - 8 + (p.n % 8 == 0 ? 8 : p.n % 8));
  if (wants_octets(p)) p.n = (p.n + 7) / 8 * 8;
}

bool has_square_zero_points(const Problem& p) {
  const bool whole = p.n0 == 0 && p.k0 == 0;
  return groups_first(p) && p.zp != ZpMode::none && whole && groups(p) > 1 && p.n == 8 * groups(p);
}

bool is_model_n(int64_t n) {
  return std::ranges::any_of(kNear, [&](int64_t away) {
    return std::ranges::any_of(model_layers(),
                               [&](const ModelLayer& l) { return l.accepted && l.n + away == n; });
  });
}

ModelShape model_shape(const Problem& p) {
  ModelShape best = ModelShape::other;
  for (const ModelLayer& l : model_layers()) {
    if (!l.accepted || l.g != p.g) continue;
    if (l.k == p.k) return ModelShape::layer;
    if (l.k == p.k - p.g || l.k == p.k + p.g) best = ModelShape::neighbour;
  }
  return best;
}

}  // namespace w4
