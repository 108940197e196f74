#include "fuzz/archive.h"

#include <bit>

namespace w4::fuzz {
namespace {

constexpr int kDrawn = 8;  // more drawn, rarer the rarest

}  // namespace

void Archive::add(Bytes input, std::span<const uint64_t> ids) {
  ++added_;
  bool keep = false;
  for (const uint64_t id : ids) {
    Seen& s = seen_[id];
    if (++s.times == 1) ids_.push_back(id);
    // Anew while it is rare, so that it is not one input for ever.
    if (!std::has_single_bit(s.times)) continue;
    s.input = static_cast<uint32_t>(inputs_.size());
    keep = true;
  }
  if (keep) inputs_.emplace_back(input.begin(), input.end());
}

Bytes Archive::rare(Draw& draw) const {
  if (ids_.empty()) return {};
  const auto any = [&] { return seen_.at(ids_[draw(static_cast<uint32_t>(ids_.size()))]); };
  Seen rarest = any();
  for (int i = 1; i < kDrawn; ++i) {
    const Seen other = any();
    if (other.times < rarest.times) rarest = other;
  }
  return inputs_[rarest.input];
}

}  // namespace w4::fuzz
