// The host device with a clock that says what the test wants.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "devices/wrapped_device.h"

namespace w4::testing {

class ClockedDevice final : public WrappedDevice {
 public:
  ClockedDevice() : WrappedDevice(std::move(*make_device("host"))) {}

  double seconds_of_launch = 0.001, seconds_of_copy = 0.5;
  int64_t cache = 0;
  uint64_t room = 0;            // of all buffers; 0: enough
  bool wrong = false;           // launches leave something else in the last output
  bool corrupts = false;        // timed launches leave something else in the last output
  std::vector<size_t> rounds;   // launches of each
  std::vector<uint32_t> times;  // that each was asked for
  std::set<Placement> placements;

  Result<uint64_t> allocate(const BufferRequest& r) override {
    placements.insert(r.placement);
    auto at = WrappedDevice::allocate(r);
    if (at && r.output) outs_.push_back({*at, r.bytes});
    return at;
  }
  LaunchResult launch(const w4_launch& what, const LaunchOptions& options) override {
    LaunchResult done = WrappedDevice::launch(what, options);
    if (wrong) spoil();
    return done;
  }
  Result<double> time_launches(std::span<const w4_launch> round, uint32_t repeat) override {
    rounds.push_back(round.size());
    times.push_back(repeat);
    for (const w4_launch& l : round) {
      const LaunchResult r = WrappedDevice::launch(l, {.fp = std::string(default_fp(gpu().arch))});
      if (r.end != LaunchResult::End::completed)
        return fail("a launch did not complete: {}", r.why);
    }
    if (corrupts) spoil();
    return seconds_of_launch * static_cast<double>(round.size());
  }
  Result<double> time_copy(uint64_t, uint32_t) override { return seconds_of_copy; }
  uint64_t memory() const override { return room; }
  int64_t cache_bytes() const override { return cache; }
  std::string describe() const override { return "a clock of the test's"; }

  // Output buffers so far: one for each copy of the operands.
  size_t output_buffers() const { return outs_.size(); }
  std::set<uint64_t> output_addresses() const {
    std::set<uint64_t> out;
    for (const auto& [at, bytes] : outs_) out.insert(at);
    return out;
  }

 private:
  void spoil() {
    const std::byte other[2]{std::byte{1}, std::byte{2}};
    (void)write(outs_.back().first, other);
  }

  std::vector<std::pair<uint64_t, uint64_t>> outs_;
};

}  // namespace w4::testing
