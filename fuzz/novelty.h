// How often the cases so far were in the same classes (classes.h), two at a time: what the mutator
// chooses among inputs by before one of them runs. Neither machine code nor the counters tell a
// checkpoint's layout, a stride or a square table from others; the classes of a case do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace w4::fuzz {

class Novelty {
 public:
  // Classes of a case that ran; each call with as many.
  void add(std::span<const uint64_t> classes);
  // Minus the sum, over pairs of its classes, of log(1 + cases that were in both): larger,
  // stranger; 0 where no pair is known. Pairs that share a place in the table count as one.
  double of(std::span<const uint64_t> classes) const;

 private:
  std::vector<uint16_t> cases_ = std::vector<uint16_t>(size_t{1} << 17);  // by pair; at most 65535
};

}  // namespace w4::fuzz
