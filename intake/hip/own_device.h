// The device of a process that nobody bound to another: an emulated GPU with its checks, as the
// environment says. W4HIP is a fragment of a case line,
//   W4HIP="device=gfx1151 lds=65536 cus=20 checks=all sched=rr fp=auto"
// with these six keys and their defaults. What a launch does wrong is printed at once.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/case.h"
#include "core/gpu.h"
#include "kernels/module.h"
#include "rdna/emulator.h"

namespace w4::hip {

// The case that the fragment describes; keys that say nothing about a device are refused.
Result<Case> read_environment(std::string_view fragment);

class OwnDevice {
 public:
  // Made by the first call. Where the environment is wrong, says so and ends the process with 2.
  static OwnDevice& get();

  const w4_device* table() const { return &table_; }
  int failed(int code);  // the process's exit status is to be this, unless it is worse
  // Whether calls go on after a failed launch (W4HIP_CONTINUE=1).
  bool goes_on() const { return goes_on_; }
  // Where a variable of the object with these bytes is, and how many it has.
  Result<std::pair<uint64_t, uint64_t>> variable(std::span<const std::byte> object,
                                                 std::string_view name);

 private:
  OwnDevice();
  static OwnDevice& of(void* self) { return *static_cast<OwnDevice*>(self); }
  int launch(const w4_launch& what);
  // An object is known by its address, as modules keep it (code.h); loaded once.
  Result<const rdna::CodeObject*> load(std::span<const std::byte> object);
  rdna::LaunchReport run(const rdna::CodeObject& object, const w4_launch& what, bool* confirmed);

  std::string line_;  // the fragment in full, as a rerun needs it
  const GpuModel* gpu_ = nullptr;
  int64_t lds_ = 0, cus_ = 0;
  bool goes_on_ = false;
  rdna::LaunchConfig config_;
  std::unique_ptr<rdna::Emulator> emulator_;
  std::map<std::pair<const void*, size_t>, std::shared_ptr<const rdna::CodeObject>> objects_;
  rdna::Memory::Snapshot before_;  // a launch, for its confirming run
  uint64_t launches_ = 0, allocations_ = 0;
  w4_device table_{};
};

}  // namespace w4::hip
