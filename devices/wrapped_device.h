// A device over another, whose every call it hands on: what a wrapper of its own kind begins with.
#pragma once

#include <memory>
#include <utility>

#include "devices/device.h"

namespace w4 {

class WrappedDevice : public Device {
 public:
  const GpuModel& gpu() const override { return inner_->gpu(); }
  bool lost() const override { return inner_->lost(); }
  void reset() override { inner_->reset(); }
  Result<uint64_t> allocate(const BufferRequest& request) override {
    return inner_->allocate(request);
  }
  Result<void> write(uint64_t to, std::span<const std::byte> from) override {
    return inner_->write(to, from);
  }
  Result<void> read(uint64_t from, std::span<std::byte> to) override {
    return inner_->read(from, to);
  }
  void release(uint64_t base) override { inner_->release(base); }
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) override {
    return inner_->copy(to, from, bytes);
  }
  Result<void> note_written(uint64_t at, uint64_t bytes) override {
    return inner_->note_written(at, bytes);
  }
  Result<void> poison(uint64_t base, std::span<const std::byte> pattern) override {
    return inner_->poison(base, pattern);
  }
  Result<void> mark_gap(uint64_t from, uint64_t bytes) override {
    return inner_->mark_gap(from, bytes);
  }
  LaunchResult launch(const w4_launch& what, const LaunchOptions& options) override {
    return inner_->launch(what, options);
  }
  std::vector<uint64_t> unwritten(uint64_t base, size_t limit) override {
    return inner_->unwritten(base, limit);
  }
  Result<double> time_launches(std::span<const w4_launch> round, uint32_t rounds) override {
    return inner_->time_launches(round, rounds);
  }
  Result<double> time_copy(uint64_t bytes, uint32_t repeat) override {
    return inner_->time_copy(bytes, repeat);
  }
  uint64_t memory() const override { return inner_->memory(); }
  int64_t cache_bytes() const override { return inner_->cache_bytes(); }
  std::string describe() const override { return inner_->describe(); }

 protected:
  explicit WrappedDevice(std::unique_ptr<Device> inner) : inner_(std::move(inner)) {}

 private:
  std::unique_ptr<Device> inner_;
};

}  // namespace w4
