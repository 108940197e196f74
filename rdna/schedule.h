// The order of things that a schedule chooses, the same on every host.
#pragma once

#include <cstdint>
#include <vector>

#include "rdna/emulator.h"

namespace w4::rdna {

// splitmix64: the schedule's own generator.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t n) { return next() % n; }
};

// The workgroups of a grid in the order in which the schedule runs them.
class GridOrder {
 public:
  GridOrder(const Schedule& schedule, uint64_t total);
  uint64_t total() const { return total_; }
  uint64_t at(uint64_t i) const {
    return !shuffled_.empty() ? shuffled_[i] : order_ == Order::rr ? i : total_ - 1 - i;
  }

 private:
  Order order_;
  uint64_t total_;
  std::vector<uint64_t> shuffled_;
};

}  // namespace w4::rdna
