// A case made ready to launch again and again: what the benches time.
#pragma once

#include <memory>
#include <string>

#include "verify/call.h"
#include "verify/context.h"
#include "verify/setup.h"

namespace w4::bench {

class PreparedCall {
 public:
  // Throws std::runtime_error where the line is not a legal case of a built-in kernel.
  explicit PreparedCall(const std::string& line);
  // Launches once; throws where the launch ends with anything but completion. Wave-instructions.
  uint64_t run();

 private:
  Context context_;
  std::unique_ptr<Setup> setup_;
  std::unique_ptr<Call> call_;
};

}  // namespace w4::bench
