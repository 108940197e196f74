#include "verify/cases/case_bytes.h"

#include <algorithm>

#include "verify/cases/law_cases.h"

namespace w4 {

PartPlace place_of(int part) {
  if (part == 0) return {0, kHeadBytes};
  return {kHeadBytes + (part - 1) * kPartBytes, kPartBytes};
}

namespace {

// Counted from the end, so that 0 is none.
bool one_in_of(uint8_t byte, int n) { return n > 0 && byte >= 256 - 256 / n; }

void change(std::vector<uint8_t>& bytes, PartPlace r, Bytes other, Draw& draw) {
  const auto at = static_cast<size_t>(r.first);
  // Most parts take few of their bytes: the first ones more often.
  const auto place = at + draw(1 + draw(static_cast<uint32_t>(r.bytes)));
  switch (draw(5)) {
    case 0:
      bytes[place] = static_cast<uint8_t>(draw(256));
      break;
    case 1:
      bytes[place] = static_cast<uint8_t>(bytes[place] + 1 + draw(3));
      break;
    case 2:
      bytes[place] = static_cast<uint8_t>(bytes[place] - 1 - draw(3));
      break;
    case 3:
      for (int i = 0; i < r.bytes; ++i)
        bytes[at + static_cast<size_t>(i)] = static_cast<uint8_t>(draw(256));
      break;
    default:
      for (size_t i = at; i < at + static_cast<size_t>(r.bytes); ++i)
        bytes[i] = i < other.size() ? other[i] : 0;
  }
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

Case case_of(Bytes input, const CaseInput& how) {
  const auto head = [&](size_t i) { return i < input.size() ? input[i] : uint8_t{0}; };
  CaseLimits limits = how.small;
  limits.large = limits.large || one_in_of(head(0), how.large_one_in);
  PartChooser choose(input);
  return one_in_of(head(1), how.law_one_in) ? choose_law_case(choose, limits, how.row)
                                            : choose_case(choose, limits, how.row);
}

uint32_t Draw::operator()(uint32_t n) {
  constexpr uint32_t kStream = 0x6d757461;
  return static_cast<uint32_t>(counter_bits(seed_, kStream, 0, static_cast<int64_t>(at_++)) % n);
}

std::vector<uint8_t> mutate_input(Bytes input, Bytes other, Draw& draw) {
  std::vector<uint8_t> out(input.begin(), input.end());
  out.resize(kInputBytes);
  for (uint32_t n = 1 + draw(3); n > 0; --n) {
    change(out, place_of(static_cast<int>(draw(kParts + 1))), other, draw);
  }
  return out;
}

}  // namespace w4
