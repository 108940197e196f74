// A module's numerics declaration, seen as the references want it.
#pragma once

#include <optional>
#include <string>

#include "core/problem.h"
#include "kernels/module.h"
#include "reference/numerics.h"

namespace w4 {

// What the kernel declares for calls of this problem's sizes.
const w4_numerics& declared_numerics(const w4_kernel& kernel, const Problem& p);
// What is wrong with it, for a problem with a meaning; nullopt: nothing.
std::optional<std::string> wrong_numerics(const w4_kernel& kernel, const Problem& p, int64_t cus);

class ModuleNumerics final : public Numerics {
 public:
  // `declared` must outlive this. m, n, k, g, cus choose the chain.
  ModuleNumerics(const w4_numerics& declared, w4_dtype act, int64_t m, int64_t n, int64_t k,
                 int64_t g, int64_t cus);
  void weights(double z, double s, std::span<double, 16> out) const override;
  double weight(double q, double z, double s) const { return declared_.weight(act_, q, z, s); }
  uint16_t store(double acc, double bias, bool has_bias) const override;
  Chain chain() const override { return chain_; }

 private:
  const w4_numerics& declared_;
  w4_dtype act_;
  Chain chain_;
};

}  // namespace w4
