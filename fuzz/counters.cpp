#include "fuzz/counters.h"

#include <algorithm>
#include <array>

namespace w4::fuzz {
namespace {

__attribute__((used, section("__libfuzzer_extra_counters"))) uint8_t extra[kCounters];

// One value of each class that libFuzzer tells apart (CounterToFeature).
constexpr std::array<uint8_t, 8> kClasses{1, 2, 3, 4, 8, 16, 32, 128};

uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

}  // namespace

std::span<uint8_t, kCounters> counters() { return extra; }

void count(const Behaviour& b) {
  const uint64_t x = mixed(b.id + static_cast<uint64_t>(b.kind));
  uint8_t& counter = extra[(x >> 3) % kCounters];
  counter = std::max(counter, kClasses[x & 7]);
}

void count_class(std::string_view words) {
  uint64_t id = 14695981039346656037u;  // FNV-1a
  for (const char c : words) id = (id ^ static_cast<unsigned char>(c)) * 1099511628211u;
  count({BehaviourKind::tuple, id});
}

}  // namespace w4::fuzz
