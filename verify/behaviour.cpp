#include "verify/behaviour.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/classes.h"
#include "core/hash.h"

namespace w4 {
namespace {

uint64_t count_class(uint64_t count) {
  if (count < 4) return count;
  if (count < 32) return static_cast<uint64_t>(std::bit_width(count)) + 1;
  return count < 128 ? 7 : 8;
}

}  // namespace

std::string_view name_of(BehaviourKind k) {
  constexpr std::array<std::string_view, 3> kNames{"edge", "tuple", "margin"};
  return kNames.at(static_cast<size_t>(k));
}

std::string semantic_tuple(const Case& c, const Verdict& v) {
  const Problem& p = c.problem;
  if (const auto* refused = std::get_if<Refused>(&v.primary()))
    return fmt::format("{}; refused {}", c.kernel, refused->clause);
  return fmt::format("{} {}; {}; k*m {}; tail{}{}; {}", c.kernel, c.device, v.ran.instantiation,
                     name_of(lds_side(p)), ragged_k(p) ? " k" : "", ragged_n(p) ? " n" : "",
                     name_of(p.zp));
}

int margin_bucket(const Verdict& v) {
  constexpr double kSteps = 8;
  double ratio = -1;
  if (const auto* pass = std::get_if<Pass>(&v.primary())) ratio = pass->headroom;
  if (const auto* mismatch = std::get_if<Mismatch>(&v.primary()))
    ratio = std::abs(mismatch->worst.ratio);
  if (!(ratio >= 0)) return std::holds_alternative<Mismatch>(v.primary()) ? 9 : -1;
  return ratio > 1 ? 9 : static_cast<int>(std::ceil(ratio * kSteps));
}

std::vector<Behaviour> Observer::of(const Case& c, const Verdict& v) const {
  std::vector<Behaviour> out;
  for (const rdna::KernelCounts* k : coverage_.launched()) {
    const rdna::KernelInfo& info = k->object->kernels()[k->index];
    const uint64_t kernel = mixed(hash_of(info.symbol), hash_of(k->object->arch()));
    const uint64_t base = info.entry;
    k->edges.each([&](uint64_t from, uint64_t to, uint64_t count) {
      const uint64_t id = mixed(mixed(mixed(kernel, from - base), to - base), count_class(count));
      out.push_back({BehaviourKind::edge, id});
    });
  }
  std::ranges::sort(out, {}, &Behaviour::id);
  out.erase(std::ranges::unique(out).begin(), out.end());
  out.push_back({BehaviourKind::tuple, hash_of(semantic_tuple(c, v))});
  if (const int bucket = margin_bucket(v); bucket >= 0) {
    out.push_back({BehaviourKind::margin,
                   mixed(hash_of(v.ran.instantiation), static_cast<uint64_t>(bucket))});
  }
  return out;
}

}  // namespace w4
