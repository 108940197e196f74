// What the devices hip and cuda ask of a GPU's driver library, which is loaded at run time. One
// GPU, the first. All calls wait for what they start. Not for several threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/result.h"
#include "kernels/module.h"

namespace w4 {

struct GpuFacts {
  std::string name;           // "NVIDIA H200", "AMD Radeon Graphics"
  std::string arch;           // as w4_device::arch: "gfx1151"; "cuda" on NVIDIA
  std::string driver;         // library, its version and the driver's, for records
  int wave = 32;              // lanes
  int multiprocessors = 0;    // as the runtime reports them
  int64_t lds_per_block = 0;  // bytes a block may use
  int max_threads_per_block = 0;
  int64_t memory = 0;  // bytes
  int64_t l2 = 0;      // bytes of the last cache that the driver knows of; 0: it does not say
};

// Mapped memory. Where it traps, an access beside it faults.
struct GpuRoom {
  uint64_t begin = 0, bytes = 0;
  bool traps_before = false, traps_after = false;
};

struct GpuLaunch {
  enum class End : uint8_t { completed, refused, fault } end = End::completed;
  std::string why;     // refused: nothing ran; fault: what the driver says
  double seconds = 0;  // completed: of each repetition, by the GPU's own clock
};

// A loaded code object; the api that made it outlives it.
class GpuCode {
 public:
  virtual ~GpuCode() = default;
};

struct GpuRead {
  uint64_t from = 0;
  std::span<std::byte> to;
};

struct GpuStep {
  GpuCode* code = nullptr;
  w4_launch what{};
};

class GpuApi {
 public:
  virtual ~GpuApi() = default;
  virtual const GpuFacts& facts() const = 0;
  // After a fault: calls fail from now on.
  virtual bool lost() const = 0;

  // At least `bytes`, aligned to 256 bytes, content undefined. `guarded`: between memory that is
  // not mapped, where the driver can do that.
  virtual Result<GpuRoom> reserve(uint64_t bytes, bool guarded) = 0;
  virtual void give_back(const GpuRoom& room) = 0;
  virtual Result<void> write(uint64_t to, std::span<const std::byte> from) = 0;
  virtual Result<void> read(uint64_t from, std::span<std::byte> to) = 0;
  // All of them; where an api does not have it: one after the other, and a GPU that others use too
  // is waited for each time.
  virtual Result<void> read_each(std::span<const GpuRead> reads);
  virtual Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) = 0;
  // Repeats 1, 2 or 4 bytes; `to` and `bytes` are multiples of their number.
  virtual Result<void> fill(uint64_t to, std::span<const std::byte> pattern, uint64_t bytes) = 0;

  // `object`: a code object (hip) or PTX (cuda), as w4_launch::object; its bytes are not needed
  // afterwards.
  virtual Result<std::unique_ptr<GpuCode>> load(std::span<const std::byte> object) = 0;
  // `repeat` times, one after the other; arguments are packed at their natural alignment.
  virtual GpuLaunch launch(GpuCode& code, const w4_launch& what, uint32_t repeat = 1) = 0;

  // For measurements. The steps one after the other, all of them `rounds` times over without
  // waiting in between; seconds: of each round, from before its first launch to after its last.
  // Where an api does not have it: launch() of each step, which waits for each.
  virtual GpuLaunch launch_in_turn(std::span<const GpuStep> round, uint32_t rounds);
  // Seconds of each of `repeat` copies in a row, by the GPU's own clock. Where an api does not have
  // it: by the host's clock, around copy().
  virtual Result<double> time_copy(uint64_t to, uint64_t from, uint64_t bytes, uint32_t repeat);
};

// Errors say which library or GPU is not there: they are why a case is skipped. `library`: a path;
// empty: W4_HIP_LIBRARY (W4_CUDA_LIBRARY) of the environment, otherwise where the loader finds
// libamdhip64.so.5 to .7 (libcuda.so.1).
Result<std::unique_ptr<GpuApi>> open_hip(const std::string& library = {});
Result<std::unique_ptr<GpuApi>> open_cuda(const std::string& library = {});

}  // namespace w4
