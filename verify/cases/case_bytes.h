// Inputs of fuzzers: byte strings that are choices. Each part of a case (chooser.h) has its own
// bytes, so that one part changes and the others stay; bytes that are missing are 0, the plainest
// choice. Every byte string is a case.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verify/cases/row_cases.h"

namespace w4 {

using Bytes = std::span<const uint8_t>;

inline constexpr int kPartBytes = 16;  // of each part; further choices of it are 0
// Before the parts: what kind of case (CaseInput), then bytes that targets use as they like.
inline constexpr int kHeadBytes = 4;
inline constexpr int kInputBytes = kHeadBytes + kParts * kPartBytes;

// Where part number `part` lies; 0: the head, 1 + p: Part p.
struct PartPlace {
  int first, bytes;
};
PartPlace place_of(int part);

// Choices out of bytes as above, from the part that about() named; from the head before.
class PartChooser final : public Chooser {
 public:
  explicit PartChooser(Bytes bytes) : bytes_(bytes) {}
  int pick(int count) override;
  void about(Part p) override { part_ = 1 + static_cast<int>(p); }

 private:
  Bytes bytes_;
  int part_ = 0;
  std::array<int, kParts + 1> used_{};
};

// What a target makes of an input: one row, legal cases, a few of them large (K at both sides of
// LDS arrays, layers of models), a few with a law.
struct CaseInput {
  std::string_view row;
  CaseLimits small{.n = 16, .k = 768, .large = false};
  int large_one_in = 16;  // of the first byte's values; 0: never
  int law_one_in = 8;     // of the second's; 0: never
};
Case case_of(Bytes input, const CaseInput& how);

// The same without a law, before its data are tried (row_cases.h).
Case draft_of(Bytes input, const CaseInput& how);

// Numbers of a stream of its own.
class Draw {
 public:
  explicit Draw(uint64_t seed) : seed_(seed) {}
  uint32_t operator()(uint32_t n);  // in [0, n), n >= 1

 private:
  uint64_t seed_, at_ = 0;
};

// One input to another of kInputBytes. Mostly a step: a part or a few change, each anew, a byte of
// it to any value or to one nearby, or to what `other` has there; half of the time on other data.
// One of six a leap: half of all parts anew, because what takes three parts at once lies behind no
// step that shows anything.
std::vector<uint8_t> mutate_input(Bytes input, Bytes other, Draw& draw);

}  // namespace w4
