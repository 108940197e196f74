// The decode declaration carried out in fp32 by plain loops, honestly or with one breach: what the
// interval must accept and what it must not.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/arrays.h"
#include "reference/numerics.h"

namespace w4::test {

enum class Breach {
  none,
  half_accumulator,  // the lane's sum is rounded to T after each chunk
  rounded_weight,    // (q - z) s is rounded to T: one more rounding
  rounded_twice,     // the sum is rounded to T before the bias
  truncating_store,
  dropped_last_k,
  neighbour_scale,    // one group of each row takes the next group's scale
  zero_point_plus_1,  // one group of each row
  stale_activation,   // one element of each activation row keeps its neighbour's value
};
std::string_view name_of(Breach b);

// Bits [M,N].
std::vector<uint16_t> simulate_decode(const Arrays& x, Arithmetic arithmetic, Breach breach);

// The declaration that simulate_decode(none) carries out, written a second time.
class DecodeNumerics final : public Numerics {
 public:
  DecodeNumerics(DType act, int64_t k) : act_(act), k_(k) {}
  void weights(double z, double s, std::span<double, 16> out) const override;
  uint16_t store(double acc, double bias, bool has_bias) const override;
  Chain chain() const override;

 private:
  DType act_;
  int64_t k_;
};

}  // namespace w4::test
