// A device that keeps what modules launch, so that it can be launched again: every buffer in
// ordinary memory, as applications have them, and alive until reset().
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "devices/wrapped_device.h"

namespace w4::bench {

// A launch and what it points to, but for its object, which is its module's.
struct Launched {
  std::string symbol;
  std::vector<std::byte> args;
  w4_launch what{};
};

class RecordedDevice final : public WrappedDevice {
 public:
  explicit RecordedDevice(std::unique_ptr<Device> device) : WrappedDevice(std::move(device)) {}

  // From now on: launches are kept but do not run, and report success.
  void pretend(bool on) { pretends_ = on; }
  // What was launched since the last call; they live until reset().
  std::vector<w4_launch> take();

  void reset() override;
  Result<uint64_t> allocate(const BufferRequest& request) override;
  void release(uint64_t) override {}  // a launch that comes again needs it
  LaunchResult launch(const w4_launch& what, const LaunchOptions& options) override;

 private:
  std::deque<Launched> kept_;  // its elements stay where they are
  size_t taken_ = 0;
  bool pretends_ = false;
};

}  // namespace w4::bench
