// A device that runs code objects on guarded buffers: the emulated archs; host, which has values
// only to offer; hip and cuda, GPUs (gpu_device.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checks.h"
#include "core/finding.h"
#include "core/gpu.h"
#include "core/mutation.h"
#include "core/placement.h"
#include "core/result.h"
#include "core/schedule.h"
#include "kernels/module.h"

namespace w4 {

namespace rdna {
class Figures;
}

struct BufferRequest {
  std::string name;  // "act", "wei", … as findings name it
  uint64_t bytes = 0;
  uint64_t offset = 0;  // of the first byte from a 256-byte aligned address
  bool writable = false;
  bool initialised = true;  // false: undefined until written
  bool output = false;      // record writers: unwritten and doubly written elements are findings
  Placement placement = Placement::end;
  // What the contract asks of the address, a power of two up to 256. Beside unmapped memory a GPU's
  // buffer lies at `offset` modulo this alone, so that little or nothing is left between them.
  uint64_t alignment = 16;
};

// Choices of one launch that come from the case line.
struct LaunchOptions {
  Checks checks{};
  Schedule sched{};
  std::string fp = "ieee";  // resolved, never auto
  bool confirm = false;     // slow, bit-exact second run of a case that raised an alarm
  bool trace = false;       // reports with the last instructions and registers of the wave
  uint64_t step_limit = 0;  // 0: the device's default
  uint32_t threads = 1;     // that a large launch may use; no result depends on it
  Placement placement = Placement::end;  // of what host code allocates for it
  const Mutation* mutate = nullptr;      // emulated devices: an instruction that runs otherwise
  // What the launch asks of the machine is added to it, by emulated devices (rdna/figures.h).
  rdna::Figures* figures = nullptr;
};

struct LaunchResult {
  enum class End : uint8_t {
    completed,
    findings,
    unsupported,
    step_limit,
    refused
  } end = End::completed;
  std::vector<Finding> findings;
  std::string why;  // unsupported, refused: the reason; unsupported: instruction text
  uint64_t pc = 0;
  std::vector<std::string>
      trace;  // unsupported, step_limit: where it is asked for and there is one
  uint64_t wave_instructions = 0;
  uint64_t mutated = 0;              // times that the mutated instruction ran
  std::vector<std::string> inexact;  // instructions used whose evidence is weaker than IEEE
  uint64_t text_hash = 0;            // of the object's .text; 0: the code is part of the program
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const GpuModel& gpu() const = 0;
  // A GPU faulted, after which its driver serves this process no more: every later launch gives the
  // same finding, other calls do nothing and what is read is zeros. Whoever runs cases takes a new
  // process for the next.
  virtual bool lost() const { return false; }
  // Drops every buffer: call between cases.
  virtual void reset() = 0;
  virtual Result<uint64_t> allocate(const BufferRequest& request) = 0;
  virtual Result<void> write(uint64_t to, std::span<const std::byte> from) = 0;
  virtual Result<void> read(uint64_t from, std::span<std::byte> to) = 0;
  // Ends the life of one buffer.
  virtual void release(uint64_t base) = 0;
  // As host code of a module does it: copied bytes keep being undefined, where the device knows
  // that, and what is written counts as written. On input: the ranges do not overlap.
  virtual Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) = 0;
  virtual Result<void> note_written(uint64_t at, uint64_t bytes) = 0;
  // Repeats `pattern` over the buffer without making it defined.
  virtual Result<void> poison(uint64_t base, std::span<const std::byte> pattern) = 0;
  // [from, from+bytes) lies between strided rows: any access is a finding.
  virtual Result<void> mark_gap(uint64_t from, uint64_t bytes) = 0;
  virtual LaunchResult launch(const w4_launch& what, const LaunchOptions& options) = 0;
  // Byte offsets of output elements nobody wrote; at most `limit`.
  virtual std::vector<uint64_t> unwritten(uint64_t base, size_t limit) = 0;

  // For measurements, on devices with a clock of their own (hip, cuda); an error on the others.
  // Seconds of one round: `round`, one after the other, `rounds` times over. That they completed is
  // checked; what they wrote where nothing may be is an error of the next read(). On input: each
  // ran before or is like one that did, and its buffers are still there.
  virtual Result<double> time_launches(std::span<const w4_launch> round, uint32_t rounds);
  // Seconds of one of `repeat` copies of `bytes` within the device's memory, in a row.
  virtual Result<double> time_copy(uint64_t bytes, uint32_t repeat);
  // Bytes that buffers can have together; 0: more than any case needs.
  virtual uint64_t memory() const { return 0; }
  // Bytes of the device's last cache; 0: not known.
  virtual int64_t cache_bytes() const { return 0; }
  // Name, driver and clock, for records; empty: `gpu()` says it all.
  virtual std::string describe() const { return {}; }
};

// `name`: an emulated arch, host, hip or cuda. The error says what is not there: a library, a GPU.
Result<std::unique_ptr<Device>> make_device(std::string_view name);

// The arithmetic model `auto` stands for on an arch: the best evidenced one (rdna.md "Arithmetic").
std::string_view default_fp(std::string_view arch);

}  // namespace w4
