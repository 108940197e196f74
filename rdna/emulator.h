// The emulator as a library: load AMDGPU code objects, launch kernels on the CPU, report findings.
// Knows nothing of GEMM. One Emulator is used by one thread at a time; several may exist.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/checks.h"
#include "core/finding.h"
#include "core/mutation.h"
#include "core/result.h"
#include "core/schedule.h"
#include "rdna/fp_model.h"
#include "rdna/memory.h"

namespace w4::rdna {

struct ArgInfo {
  uint32_t offset = 0, size = 0;
  std::string value_kind;  // as in the metadata: global_buffer, by_value, hidden_block_count_x …
};

// What the descriptor and the metadata say.
struct KernelInfo {
  std::string symbol;  // mangled
  std::string demangled;
  uint32_t kernarg_bytes = 0;
  uint32_t static_lds = 0, scratch_bytes = 0;
  bool dynamic_stack = false;  // recursion or calls by pointer: scratch_bytes is a lower bound
  uint32_t vgprs = 0, sgprs = 0, vgpr_spills = 0, sgpr_spills = 0;
  uint32_t max_workgroup = 0;
  uint32_t wave_size = 32;
  std::vector<ArgInfo> args;
  uint64_t entry = 0;  // linked address of the first instruction
};

class CodeObject {
 public:
  // Refuses with a reason: not an ELF, not AMDGPU, cut short, wave64, unknown arch, no kernels.
  static Result<std::shared_ptr<const CodeObject>> load(std::span<const std::byte> bytes);
  ~CodeObject();
  std::string_view arch() const;  // "gfx1151"
  std::span<const KernelInfo> kernels() const;
  const KernelInfo* find(std::string_view symbol) const;
  uint64_t text_hash() const;  // of .text: part of the build id of a verdict
  struct Impl;
  const Impl& impl() const { return *impl_; }
  explicit CodeObject(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

class Figures;  // rdna/figures.h

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

struct LaunchConfig {
  Dim3 grid, block;          // grid in workgroups
  uint32_t dynamic_lds = 0;  // bytes
  uint32_t stack = 1024;     // least scratch of a lane where the kernel's stack is dynamic, bytes:
                             // hipLimitStackSize, here its default
  uint32_t checks = kAllChecks;  // bits of Check
  FpModel fp = FpModel::ieee;
  Schedule schedule;
  uint64_t step_limit = 4'000'000'000;  // wave-instructions of the whole launch
  bool confirm = false;  // bit-exact definedness with origins, both parties of races: slow;
                         // used to re-run a case whose fast run raised an alarm
  uint32_t threads = 1;  // over workgroups, where the kernel lets them run apart and it is worth
                         // it; no result depends on it
  bool trace = false;    // with every finding, Unsupported and step limit: the last instructions
                         // of the wave and its registers (rdna/trace.h); slower
  Figures* figures = nullptr;  // what the launch asks of the machine is added to it; slower
  size_t max_findings = 8;     // stop the launch after so many
  // One instruction that runs otherwise, where the launch is of its kernel; on one thread. Refused
  // where the code has no such instruction, or the operator no such variant there. nullptr: none.
  const Mutation* mutate = nullptr;
};

struct LaunchReport {
  enum class End : uint8_t {
    completed,
    findings,
    unsupported,
    step_limit,
    refused
  } end = End::completed;
  std::vector<Finding> findings;
  std::string why;                 // unsupported: text and address; refused: the limit broken
  Party where;                     // unsupported and step_limit
  std::vector<std::string> trace;  // of these two, where it is asked for
  uint64_t wave_instructions = 0;
  uint64_t mutated = 0;  // times that the mutated instruction ran
  uint64_t ahead = 0;  // workgroups that threads ran apart; the one number that depends on threads
  std::vector<std::string> inexact;  // mnemonics used whose evidence is weaker than IEEE
};

class Emulator {
 public:
  explicit Emulator(std::string_view arch);  // one of emulated_archs()
  ~Emulator();
  std::string_view arch() const;
  Memory& memory();
  // `args`: the explicit kernel arguments as the caller packed them (offsets of the metadata);
  // hidden arguments are filled in from the launch, all other kernarg bytes are undefined.
  LaunchReport launch(const CodeObject& object, std::string_view symbol, const LaunchConfig& config,
                      std::span<const std::byte> args);
  // Where a variable of the object is in memory, and its bytes; host code reads and writes it
  // there. Error: the object has none of that name, or no memory for it.
  Result<std::pair<Address, uint64_t>> variable(const CodeObject& object, std::string_view name);
  // Executed edges (from-pc, to-pc) as counters; cleared by the caller. nullptr: off.
  void set_edge_counters(std::span<uint8_t> counters);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::span<const std::string_view> emulated_archs();  // the eight of gfx11 and gfx12

}  // namespace w4::rdna
