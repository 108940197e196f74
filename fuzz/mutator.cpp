#include "fuzz/mutator.h"

#include <algorithm>
#include <utility>

#include "verify/cases/case_bytes.h"

namespace w4::fuzz {
namespace {

constexpr uint32_t kStepOneIn = 8, kUniformOneIn = 3;
constexpr int kDrawn = 8;  // more drawn, less often what is common together

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

std::vector<uint8_t> next_input(Bytes picked, Bytes other, const Novelty& seen,
                                const ClassesOf& classes, unsigned seed) {
  Draw draw(seed);
  if (draw(kStepOneIn) == 0) {
    const bool cross = !other.empty() && draw(2) == 0;
    return cross ? crossed(picked, other, seed) : mutate_input(picked, other, draw);
  }
  std::vector<uint8_t> best = uniform(draw);
  if (draw(kUniformOneIn) == 0) return best;
  double most = seen.of(classes(best));
  for (int i = 1; i < kDrawn; ++i) {
    std::vector<uint8_t> one = uniform(draw);
    const double novelty = seen.of(classes(one));
    if (novelty > most) most = novelty, best = std::move(one);
  }
  return best;
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
