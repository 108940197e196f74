// Probes on a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "campaign/capture/operands.h"
#include "core/result.h"
#include "devices/device.h"

namespace w4::capture {

class Bench {
 public:
  // `device` outlives it.
  explicit Bench(Device& device) : device_(device) {}
  std::string_view arch() const { return device_.gpu().arch; }
  int family() const { return device_.gpu().family; }
  // The result words. `fp`: arithmetic model, of emulated devices; empty: the best of the arch.
  // Error: there is no code for the arch, or what the device says.
  Result<std::vector<uint32_t>> run(const Probe& p, const Operands& operands,
                                    std::string_view fp = {});
  // The last run() failed because the emulator does not carry out the instruction.
  bool unsupported() const { return unsupported_; }

 private:
  Device& device_;
  bool unsupported_ = false;
};

}  // namespace w4::capture
