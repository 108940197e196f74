// What generators ask their choices of: properties draw them from RapidCheck, fuzz targets from
// bytes, a soak from the number of a case. Choice 0 is the plainest everywhere, so shrinking
// choices shrinks the case.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/fill.h"

namespace w4 {

// What choices are about: the parts of a case that a fuzzer changes one at a time. Inputs of the
// fuzzer have each part at a place of its own (case_bytes.h): add at the end.
enum class Part : uint8_t {
  law,       // which relation, or none
  tokens,    // M, block_m, silu
  depth,     // K, G
  columns,   // N
  format,    // activation dtype, zero points, source
  bias,      //
  source,    // shard, checkpoint
  memory,    // pads, offsets, strides of tensors but the activations'
  stride,    // of activations, leading dimensions
  tile,      // forced
  experts,   // their number, top_k, routing, order of rows
  reported,  // what the device says of itself
  device,    // arch, arithmetic model
  fill,      // data
  schedule,  //
  bend,      // what a law wants different
  way,       // which clause is broken, and how
};
inline constexpr int kParts = static_cast<int>(Part::way) + 1;
std::string_view name_of(Part p);

class Chooser {
 public:
  virtual ~Chooser() = default;
  // A number in [0, count), count >= 1.
  virtual int pick(int count) = 0;
  // The next choices are about this part.
  virtual void about(Part) {}
};

// Case number `index` of a seed: a pure function of the two, the same in ten years.
class NumberedChooser final : public Chooser {
 public:
  NumberedChooser(uint64_t seed, int64_t index) : seed_(seed), index_(index) {}
  int pick(int count) override {
    constexpr uint32_t kStream = 0x63617365;  // apart from the tensors of the fills
    return static_cast<int>(counter_bits(seed_, kStream, index_, at_++) %
                            static_cast<uint64_t>(count));
  }

 private:
  uint64_t seed_;
  int64_t index_, at_ = 0;
};

// Yes with probability 1/n; the plainest choice is no.
inline bool one_in(Chooser& choose, int n) { return choose.pick(n) == n - 1; }

inline int64_t pick64(Chooser& choose, int64_t count) {
  return choose.pick(static_cast<int>(count));
}

template <class T>
T one_of(Chooser& choose, std::span<const T> values) {
  return values[static_cast<size_t>(choose.pick(static_cast<int>(values.size())))];
}
template <class T, size_t N>
T one_of(Chooser& choose, const std::array<T, N>& values) {
  return one_of(choose, std::span<const T>(values));
}

// Half of the time the first value.
template <class T, size_t N>
T mostly_first(Chooser& choose, const std::array<T, N>& values) {
  return choose.pick(2) == 0 ? values[0] : one_of(choose, values);
}

}  // namespace w4
