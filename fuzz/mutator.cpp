#include "fuzz/mutator.h"

#include <algorithm>

#include "verify/cases/case_bytes.h"

namespace w4::fuzz {
namespace {

constexpr int64_t kStart = 256;
constexpr uint32_t kUniformOneIn = 4;

std::vector<uint8_t> uniform(Draw& draw) {
  std::vector<uint8_t> out(kInputBytes);
  for (uint8_t& b : out) b = static_cast<uint8_t>(draw(256));
  return out;
}

std::vector<uint8_t> whole(Bytes input) {
  std::vector<uint8_t> out(input.begin(), input.end());
  out.resize(kInputBytes);
  return out;
}

std::span<uint8_t> part_of(std::vector<uint8_t>& input, int part) {
  const PartPlace at = place_of(part);
  return std::span(input).subspan(static_cast<size_t>(at.first), static_cast<size_t>(at.bytes));
}

}  // namespace

std::vector<uint8_t> mutated(Bytes input, const Archive& archive, unsigned seed) {
  Draw draw(seed);
  if (archive.added() < kStart || draw(kUniformOneIn) == 0) return uniform(draw);
  const Bytes rare = archive.rare(draw), other = archive.rare(draw);
  const bool as_picked = rare.empty() || draw(2) == 0;
  return mutate_input(as_picked ? input : rare, other, draw);
}

std::vector<uint8_t> crossed(Bytes a, Bytes b, unsigned seed) {
  Draw draw(seed);
  std::vector<uint8_t> out = whole(a), other = whole(b);
  std::vector<int> differing;
  for (int part = 0; part <= kParts; ++part) {
    if (!std::ranges::equal(part_of(out, part), part_of(other, part))) differing.push_back(part);
  }
  if (differing.empty()) return out;
  const auto count = static_cast<uint32_t>(differing.size());
  const uint32_t one = draw(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (i == one || draw(3) == 0)
      std::ranges::copy(part_of(other, differing[i]), part_of(out, differing[i]).begin());
  }
  return out;
}

size_t write(const std::vector<uint8_t>& input, std::span<uint8_t> to) {
  const size_t bytes = std::min(input.size(), to.size());
  std::copy_n(input.begin(), bytes, to.begin());
  return bytes;
}

}  // namespace w4::fuzz
