// A legal case made ready to launch again and again, with its output to look at: for benches, and
// for tests that compare the bits of two devices.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/case.h"
#include "core/result.h"
#include "verify/call.h"
#include "verify/context.h"
#include "verify/setup.h"

namespace w4 {

class PreparedCall {
 public:
  // `context` must outlive this, and no other case may run in it meanwhile. Errors: the case is
  // skipped, breaks a clause, or is refused.
  static Result<PreparedCall> make(const Case& c, Context& context);

  // Launches once. Error: the launch does not complete. Wave-instructions, 0 where not counted.
  Result<uint64_t> run();
  std::vector<uint16_t> output() const { return call_->output(); }  // [M,N] bits

 private:
  PreparedCall() = default;
  std::unique_ptr<Setup> setup_;
  std::unique_ptr<Call> call_;
};

}  // namespace w4
