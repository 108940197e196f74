// The host device with a clock that says what the test wants.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "devices/device.h"

namespace w4::testing {

class ClockedDevice final : public Device {
 public:
  ClockedDevice() : host_(std::move(*make_device("host"))) {}

  double seconds_of_launch = 0.001, seconds_of_copy = 0.5;
  int64_t cache = 0;
  bool wrong = false;           // launches leave something else in the last output
  bool corrupts = false;        // timed launches leave something else in the last output
  std::vector<size_t> rounds;   // launches of each
  std::vector<uint32_t> times;  // that each was asked for
  std::set<Placement> placements;

  const GpuModel& gpu() const override { return host_->gpu(); }
  void reset() override { host_->reset(); }
  Result<uint64_t> allocate(const BufferRequest& r) override {
    placements.insert(r.placement);
    auto at = host_->allocate(r);
    if (at && r.output) outs_.push_back({*at, r.bytes});
    return at;
  }
  Result<void> write(uint64_t to, std::span<const std::byte> from) override {
    return host_->write(to, from);
  }
  Result<void> read(uint64_t from, std::span<std::byte> to) override {
    return host_->read(from, to);
  }
  void release(uint64_t base) override { host_->release(base); }
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) override {
    return host_->copy(to, from, bytes);
  }
  Result<void> note_written(uint64_t at, uint64_t bytes) override {
    return host_->note_written(at, bytes);
  }
  Result<void> poison(uint64_t base, std::span<const std::byte> pattern) override {
    return host_->poison(base, pattern);
  }
  Result<void> mark_gap(uint64_t from, uint64_t bytes) override {
    return host_->mark_gap(from, bytes);
  }
  LaunchResult launch(const w4_launch& what, const LaunchOptions& options) override {
    LaunchResult done = host_->launch(what, options);
    if (wrong) spoil();
    return done;
  }
  std::vector<uint64_t> unwritten(uint64_t base, size_t limit) override {
    return host_->unwritten(base, limit);
  }
  Result<double> time_launches(std::span<const w4_launch> round, uint32_t repeat) override {
    rounds.push_back(round.size());
    times.push_back(repeat);
    for (const w4_launch& l : round) {
      const LaunchResult r = host_->launch(l, {.fp = std::string(default_fp(gpu().arch))});
      if (r.end != LaunchResult::End::completed)
        return fail("a launch did not complete: {}", r.why);
    }
    if (corrupts) spoil();
    return seconds_of_launch * static_cast<double>(round.size());
  }
  Result<double> time_copy(uint64_t, uint32_t) override { return seconds_of_copy; }
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
    (void)host_->write(outs_.back().first, other);
  }

  std::unique_ptr<Device> host_;
  std::vector<std::pair<uint64_t, uint64_t>> outs_;
};

}  // namespace w4::testing
