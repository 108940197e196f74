// A device without an emulator: buffers in host memory, kernels that are host functions. The object
// of a launch points to a FakeKernel.
#pragma once

#include <map>
#include <vector>

#include "devices/device.h"

namespace w4::test {

class FakeDevice;
using FakeKernel = LaunchResult (*)(FakeDevice&, const w4_launch&, const LaunchOptions&);

class FakeDevice final : public Device {
 public:
  const GpuModel& gpu() const override { return *find_gpu("gfx1151"); }
  void reset() override { buffers_.clear(); }
  Result<uint64_t> allocate(const BufferRequest& r) override;
  Result<void> write(uint64_t to, std::span<const std::byte> from) override;
  Result<void> read(uint64_t from, std::span<std::byte> to) override;
  void release(uint64_t base) override { buffers_.erase(base); }
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) override;
  Result<void> note_written(uint64_t at, uint64_t bytes) override;
  Result<void> poison(uint64_t base, std::span<const std::byte> pattern) override;
  Result<void> mark_gap(uint64_t from, uint64_t bytes) override;
  LaunchResult launch(const w4_launch& what, const LaunchOptions& options) override;
  std::vector<uint64_t> unwritten(uint64_t base, size_t limit) override;

  // What a kernel may do.
  uint16_t load16(uint64_t from);
  void store16(uint64_t to, uint16_t bits);

  struct Buffer {
    BufferRequest request;
    std::vector<std::byte> bytes;
    std::vector<bool> defined, gap, written;  // per byte
  };
  const Buffer* find(std::string_view name) const;
  int launches = 0;
  uint32_t checks = 0;  // of the last launch

 private:
  std::pair<Buffer*, size_t> at(uint64_t address, uint64_t bytes);
  std::map<uint64_t, Buffer> buffers_;
};

}  // namespace w4::test
