// Small copies to and from a GPU by way of memory that it reads and writes itself, so that they
// follow each other without the host waiting for each: where several processes use the GPU, each
// wait costs a turn of all of them.
#pragma once

#include <cstring>
#include <span>

#include "devices/cuda_driver.h"
#include "devices/gpu_api.h"

namespace w4 {

class CudaStage {
 public:
  // On input: the device's context is the thread's. `driver` must outlive this. Without a driver
  // that can do it, or memory, takes() is false for everything.
  explicit CudaStage(const CudaDriver& driver) : driver_(driver) {
    void* memory = nullptr;
    if (driver.stages() && driver.allocate_host(&memory, kBytes, 0) == 0) {
      memory_ = {static_cast<std::byte*>(memory), kBytes};
    }
  }

  bool takes(size_t bytes) const { return bytes <= memory_.size() / 4; }
  // On input: takes(from.size()). The copy is queued.
  CudaCode write(CudaAddress to, std::span<const std::byte> from) {
    if (const CudaCode code = make_room(from.size()); code != 0) return code;
    std::byte* const at = put(from.size());
    std::memcpy(at, from.data(), from.size());
    return driver_.queue_write(to, at, from.size(), nullptr);
  }
  // On input: takes() each, none is empty. Waits for them all, and so for everything before.
  CudaCode read(std::span<const GpuRead> reads) {
    while (!reads.empty()) {
      if (const CudaCode code = make_room(reads.front().to.size()); code != 0) return code;
      std::byte* const first = memory_.data() + used_;
      size_t n = 0;
      for (; n < reads.size() && used_ + reads[n].to.size() <= memory_.size(); ++n) {
        const size_t bytes = reads[n].to.size();
        if (const CudaCode code = driver_.queue_read(put(bytes), reads[n].from, bytes, nullptr);
            code != 0) {
          return code;
        }
      }
      if (const CudaCode code = wait(); code != 0) return code;
      const std::byte* at = first;
      for (const GpuRead& r : reads.first(n)) {
        std::memcpy(r.to.data(), at, r.to.size());
        at += room_of(r.to.size());
      }
      reads = reads.subspan(n);
    }
    return 0;
  }
  // What was queued is done: its room is free.
  void all_done() { used_ = 0; }

 private:
  static constexpr size_t kBytes = size_t{8} << 20;
  static size_t room_of(size_t bytes) { return (bytes + 63) / 64 * 64; }

  CudaCode wait() {
    const CudaCode code = driver_.wait_for_stream(nullptr);
    if (code == 0) used_ = 0;
    return code;
  }
  CudaCode make_room(size_t bytes) { return used_ + bytes <= memory_.size() ? 0 : wait(); }
  std::byte* put(size_t bytes) {
    std::byte* const at = memory_.data() + used_;
    used_ += room_of(bytes);
    return at;
  }

  const CudaDriver& driver_;
  std::span<std::byte> memory_;
  size_t used_ = 0;
};

}  // namespace w4
