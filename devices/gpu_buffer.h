// A buffer of a GPU with what the host knows of it: an image of the buffer and its red zones, which
// goes to the GPU before a launch and is held against what comes back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/finding.h"
#include "core/result.h"
#include "devices/device.h"
#include "devices/gpu_api.h"
#include "devices/gpu_spot.h"

namespace w4 {

// A NaN in both halves' formats and in f32: what is read outside shows in the outputs. Outputs are
// poisoned with others (verify/operands.cpp).
inline constexpr uint16_t kCanary = 0xFFB5;
// NaNs again, and no legal index.
inline constexpr uint16_t kUndefined = 0x7FB5;

class GpuBuffer {
 public:
  // Larger ones (rows gigabytes apart) have no image: their content is the GPU's alone, inputs and
  // gaps are not compared, the red zones are.
  static constexpr uint64_t kMostImage = uint64_t{256} << 20;

  // Undefined content, unless it is written. On input: room.bytes >= room_for(request.bytes).
  GpuBuffer(const BufferRequest& request, const GpuRoom& room);

  uint64_t base() const { return spot_.base; }
  uint64_t bytes() const { return request_.bytes; }
  const GpuRoom& room() const { return room_; }
  bool guarded() const { return request_.placement != Placement::plain; }
  bool live() const { return live_; }
  // Whether [at, at + bytes) lies inside.
  bool holds(uint64_t at, uint64_t bytes) const;

  // On input: holds(…).
  Result<void> write(GpuApi& api, uint64_t to, std::span<const std::byte> from);
  Result<void> read(GpuApi& api, uint64_t from, std::span<std::byte> to) const;
  Result<void> poison(GpuApi& api, std::span<const std::byte> pattern);
  // A canary lies there until the buffer is poisoned; what changes either is a finding.
  void mark_gap(uint64_t from, uint64_t bytes);
  // Nobody may touch it from now on; what is written there is a finding.
  void end_life();
  bool imaged() const { return !image_.empty(); }

  // Before a launch: the GPU gets what it does not have yet.
  Result<void> upload(GpuApi& api);
  // Where it lies with its red zones, of which check() wants to see the bytes; nothing without an
  // image.
  uint64_t seen_from() const { return spot_.from; }
  uint64_t seen_bytes() const { return image_.size(); }
  // After a launch: appends what was written where nothing may be, puts that right, and takes over
  // the content of writable buffers. On input: `seen` is what the GPU holds of what is to be seen.
  Result<void> check(GpuApi& api, std::span<std::byte> seen, std::vector<Finding>& findings);
  // Byte offsets of elements that hold the poison; none where it is no NaN.
  Result<void> unwritten(GpuApi& api, size_t limit, std::vector<uint64_t>& offsets) const;

 private:
  struct Range {
    uint64_t from, to;  // addresses
  };
  std::byte* at(uint64_t address) { return image_.data() + (address - spot_.from); }
  void set(Range range, uint16_t pattern);
  // The first run of bytes in `range` that are not what they were; both spans begin at `start`.
  void look(Range range, uint64_t start, std::span<const std::byte> now,
            std::span<const std::byte> was, std::vector<Finding>& findings) const;
  Result<void> check_zones(GpuApi& api, std::vector<Finding>& findings);

  BufferRequest request_;
  GpuRoom room_;
  GpuSpot spot_;
  std::vector<std::byte> image_;  // of [spot_.from, spot_.to)
  std::vector<Range> gaps_;
  std::vector<std::byte> poison_;
  bool stale_ = true;  // the GPU does not have the image yet
  bool live_ = true;
};

}  // namespace w4
