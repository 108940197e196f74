// A kernel's call on operands written byte by byte, not through preparation: what a probe varies.
// Buffers are larger than the call's tensors need, so that a kernel which reads them by another
// contract reads codes too, and not what lies outside. No check runs: outputs are all that counts.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/case.h"
#include "core/result.h"
#include "verify/device_table.h"
#include "verify/operands.h"
#include "verify/setup.h"

namespace w4::probe {

enum class Tensor : uint8_t { act, wei, scale, zp, bias, carrier };
inline constexpr size_t kTensors = 6;

class Rig {
 public:
  // `context` must outlive this, and no other case may run in it meanwhile. Errors: the kernel does
  // not take the case, with the clause.
  static Result<std::unique_ptr<Rig>> make(const Case& c, Context& context);

  const Case& line() const { return setup_.line; }
  const w4_kernel& kernel() const { return *setup_.kernel; }
  int64_t m() const { return ops_.out.rows; }
  int64_t n() const { return setup_.line.problem.n; }
  int64_t k() const { return setup_.line.problem.k; }
  const w4_tensor* desc(Tensor t) const;  // nullptr: the call has none
  // The bytes of a tensor, to be written; empty where the call has none.
  std::span<std::byte> bytes(Tensor t);

  // Launches on what was written. [M,N] as numbers. Errors: refused, or the launch did not end.
  Result<std::vector<double>> run();

 private:
  Rig(Setup setup, LaunchOptions options);
  Operand* operand(Tensor t);
  Result<void> place(const Arrays& x);

  Setup setup_;
  DeviceTable table_;
  Operands ops_;
  std::array<std::vector<std::byte>, kTensors> images_;
  std::array<bool, kTensors> changed_{};
};

}  // namespace w4::probe
