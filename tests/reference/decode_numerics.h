// The declaration of decode, written a second time: tests of the references need one, and no
// kernel.
#pragma once

#include "core/dtypes.h"
#include "reference/numerics.h"

namespace w4::test {

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
