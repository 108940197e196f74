// A device that keeps what modules launch, so that it can be launched again: every buffer in
// ordinary memory, as applications have them, and alive until reset().
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "devices/device.h"

namespace w4::bench {

// A launch and what it points to, but for its object, which is its module's.
struct Launched {
  std::string symbol;
  std::vector<std::byte> args;
  w4_launch what{};
};

class RecordedDevice final : public Device {
 public:
  explicit RecordedDevice(std::unique_ptr<Device> device) : device_(std::move(device)) {}

  // From now on: launches are kept but do not run, and report success.
  void pretend(bool on) { pretends_ = on; }
  // What was launched since the last call; they live until reset().
  std::vector<w4_launch> take();

  const GpuModel& gpu() const override { return device_->gpu(); }
  bool lost() const override { return device_->lost(); }
  void reset() override;
  Result<uint64_t> allocate(const BufferRequest& request) override;
  Result<void> write(uint64_t to, std::span<const std::byte> from) override {
    return device_->write(to, from);
  }
  Result<void> read(uint64_t from, std::span<std::byte> to) override {
    return device_->read(from, to);
  }
  void release(uint64_t) override {}  // a launch that comes again needs it
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) override {
    return device_->copy(to, from, bytes);
  }
  Result<void> note_written(uint64_t at, uint64_t bytes) override {
    return device_->note_written(at, bytes);
  }
  Result<void> poison(uint64_t base, std::span<const std::byte> pattern) override {
    return device_->poison(base, pattern);
  }
  Result<void> mark_gap(uint64_t from, uint64_t bytes) override {
    return device_->mark_gap(from, bytes);
  }
  LaunchResult launch(const w4_launch& what, const LaunchOptions& options) override;
  std::vector<uint64_t> unwritten(uint64_t base, size_t limit) override {
    return device_->unwritten(base, limit);
  }
  Result<double> time_launches(std::span<const w4_launch> round, uint32_t rounds) override {
    return device_->time_launches(round, rounds);
  }
  Result<double> time_copy(uint64_t bytes, uint32_t repeat) override {
    return device_->time_copy(bytes, repeat);
  }
  int64_t cache_bytes() const override { return device_->cache_bytes(); }
  std::string describe() const override { return device_->describe(); }

 private:
  std::unique_ptr<Device> device_;
  std::deque<Launched> kept_;  // its elements stay where they are
  size_t taken_ = 0;
  bool pretends_ = false;
};

}  // namespace w4::bench
