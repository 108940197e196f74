// One call of a kernel through its module: prepare, place the operands, accept, run, read back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "verify/device_table.h"
#include "verify/operands.h"
#include "verify/setup.h"

namespace w4 {

struct Prepared {
  std::optional<Refusal> refusal;
  w4_prepared tensors{};
  std::string trouble;  // as Run's
};

struct Run {
  std::optional<Refusal> refusal;
  std::vector<LaunchResult> launches;
  std::string instantiation;
  std::vector<std::string> symbols;  // of the launches
  std::string trouble;  // nobody's finding: the harness or the module broke a rule of the interface
};

// Wave-instructions of one launch of a mutated case: a loop that its mutation made endless ends
// soon.
inline constexpr uint64_t kMutatedSteps = 20'000'000;

class Call {
 public:
  // `setup` must outlive this; drops the device's buffers. `trace`: of every launch.
  explicit Call(const Setup& setup, bool trace = false);

  // Null: a checkpoint of zeros of the problem's (clamped) sizes.
  Prepared prepare(const SourceTensors* source);
  Result<void> place(const Arrays* x, const w4_prepared* prepared = nullptr);
  // Why the device has no memory for the operands of such a call; nullopt: it has.
  std::optional<std::string> no_room(const Arrays* x) const;
  // What accept() says; nullopt: legal.
  std::optional<Refusal> accept();  // what it may not do becomes trouble of run()
  // Poisons the output, then runs.
  Run run(bool confirm = false);
  // Fills the output with ones that count as written by someone else, then runs.
  Run run_over_ones();
  // Fills the output with zeros, as fresh pages have them, then runs at most so many
  // wave-instructions a launch.
  Run run_over_zeros(uint64_t step_limit);

  // Asks the kernel's shape-only form, where it promises one, with tensors that have no address:
  // how its answer differs from the output's dtype and shape.
  std::optional<std::string> wrong_shape();

  bool output_untouched() const;
  std::vector<uint16_t> output() const;                 // [M,N] bits, strides removed
  std::vector<uint64_t> unwritten(size_t limit) const;  // flat indices m*N+n
  const Operands& operands() const { return operands_; }
  const Run& last() const { return last_; }

 private:
  w4_call arguments() const;
  Run launch(bool confirm, Result<void> ready);
  std::vector<std::byte> raw_output() const;

  const Setup& setup_;
  DeviceTable table_;
  std::string tile_;
  SourceTensors zeros_;
  Operands operands_;
  Run last_;
  std::string breach_;  // of accept()
};

}  // namespace w4
