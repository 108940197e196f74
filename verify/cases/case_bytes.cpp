#include "verify/cases/case_bytes.h"

#include <algorithm>

#include "verify/cases/law_cases.h"

namespace w4 {

PartPlace place_of(int part) {
  if (part == 0) return {0, kHeadBytes};
  return {kHeadBytes + (part - 1) * kPartBytes, kPartBytes};
}

namespace {

constexpr uint32_t kFarOneIn = 6;

// Counted from the end, so that 0 is none.
bool one_in_of(uint8_t byte, int n) { return n > 0 && byte >= 256 - 256 / n; }

void redraw(std::span<uint8_t> bytes, Draw& draw) {
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(draw(256));
}

std::span<uint8_t> part_of(std::vector<uint8_t>& bytes, int part) {
  const PartPlace at = place_of(part);
  return std::span(bytes).subspan(static_cast<size_t>(at.first), static_cast<size_t>(at.bytes));
}

void change(std::vector<uint8_t>& bytes, int part, Bytes other, Draw& draw) {
  const std::span<uint8_t> here = part_of(bytes, part);
  // Most parts take few of their bytes: the first ones more often.
  uint8_t& byte = here[draw(1 + draw(static_cast<uint32_t>(here.size())))];
  const auto at = static_cast<size_t>(here.data() - bytes.data());
  switch (draw(6)) {
    case 0:
      byte = static_cast<uint8_t>(draw(256));
      break;
    case 1:
      byte = static_cast<uint8_t>(byte + 1 + draw(3));
      break;
    case 2:
      byte = static_cast<uint8_t>(byte - 1 - draw(3));
      break;
    case 3:
      for (size_t i = 0; i < here.size(); ++i)
        here[i] = at + i < other.size() ? other[at + i] : uint8_t{0};
      break;
    default:
      redraw(here, draw);
  }
}

// Other data for the same call: the first byte of the part is the kind of fill, a seed follows.
void reseed(std::vector<uint8_t>& bytes, Draw& draw) {
  redraw(part_of(bytes, 1 + static_cast<int>(Part::fill)).subspan(1), draw);
}

}  // namespace

int PartChooser::pick(int count) {
  if (count <= 1) return 0;
  const PartPlace r = place_of(part_);
  int& used = used_[static_cast<size_t>(part_)];
  // Two bytes where one cannot reach every answer.
  uint32_t v = 0;
  for (int bytes = count > 256 ? 2 : 1; bytes > 0; --bytes, ++used) {
    const auto at = static_cast<size_t>(r.first + used);
    v = v << 8 | (used < r.bytes && at < bytes_.size() ? bytes_[at] : 0u);
  }
  return static_cast<int>(v % static_cast<uint32_t>(count));
}

namespace {

uint8_t head_byte(Bytes input, size_t i) { return i < input.size() ? input[i] : uint8_t{0}; }

CaseLimits limits_of(Bytes input, const CaseInput& how) {
  CaseLimits limits = how.small;
  // Not only allowed: an input that says so would show nothing before its depth says so, too.
  if (one_in_of(head_byte(input, 0), how.large_one_in)) limits.large = limits.mostly_large = true;
  return limits;
}

}  // namespace

Case case_of(Bytes input, const CaseInput& how) {
  const CaseLimits limits = limits_of(input, how);
  PartChooser choose(input);
  return one_in_of(head_byte(input, 1), how.law_one_in) ? choose_law_case(choose, limits, how.row)
                                                        : choose_case(choose, limits, how.row);
}

Case draft_of(Bytes input, const CaseInput& how) {
  PartChooser choose(input);
  return choose_draft(choose, limits_of(input, how), how.row);
}

uint32_t Draw::operator()(uint32_t n) {
  constexpr uint32_t kStream = 0x6d757461;
  return static_cast<uint32_t>(counter_bits(seed_, kStream, 0, static_cast<int64_t>(at_++)) % n);
}

std::vector<uint8_t> mutate_input(Bytes input, Bytes other, Draw& draw) {
  std::vector<uint8_t> out(input.begin(), input.end());
  out.resize(kInputBytes);
  if (draw(kFarOneIn) == 0) {
    for (int part = 0; part <= kParts; ++part) {
      if (draw(2) == 0) redraw(part_of(out, part), draw);
    }
    return out;
  }
  do change(out, static_cast<int>(draw(kParts + 1)), other, draw);
  while (draw(2) == 0);
  if (draw(2) == 0) reseed(out, draw);
  return out;
}

}  // namespace w4
