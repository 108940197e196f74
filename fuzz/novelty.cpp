#include "fuzz/novelty.h"

#include <cmath>
#include <limits>

namespace w4::fuzz {
namespace {

constexpr int kPlaceBits = 17;

size_t place_of_pair(uint64_t a, uint64_t b) {
  return (a * 3 ^ b) * 0x9e3779b97f4a7c15u >> (64 - kPlaceBits);
}

float log_of(uint16_t cases) {
  static const auto logs = [] {
    std::vector<float> out;
    for (int i = 0; i <= std::numeric_limits<uint16_t>::max(); ++i)
      out.push_back(std::log1p(static_cast<float>(i)));
    return out;
  }();
  return logs[cases];
}

}  // namespace

void Novelty::add(std::span<const uint64_t> classes) {
  for (size_t i = 0; i < classes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      uint16_t& cases = cases_[place_of_pair(classes[i], classes[j])];
      if (cases < std::numeric_limits<uint16_t>::max()) ++cases;
    }
  }
}

double Novelty::of(std::span<const uint64_t> classes) const {
  double known = 0;
  for (size_t i = 0; i < classes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) known += log_of(cases_[place_of_pair(classes[i], classes[j])]);
  }
  return -known;
}

}  // namespace w4::fuzz
