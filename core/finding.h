// What a check saw: a closed list of kinds, both parties, and where. Filled by the emulator and by
// verify; printed by the verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace w4 {

enum class FindingKind : uint8_t {
  oob_read,            // global read outside a buffer, in its redzone or in a strided gap
  oob_write,           // the same for a write
  read_only_write,     // write to a buffer the kernel may not write
  lds_oob,             // outside static + dynamic LDS of this launch
  lds_race,            // two waves, one LDS location, no barrier between, at least one write
  global_race,         // two waves or workgroups, one byte, at least one write, nothing orders them
  undefined_address,   // undefined data reached an address
  undefined_branch,    // … a branch condition
  undefined_exec,      // … EXEC
  undefined_store,     // … a global store or an atomic
  barrier_divergence,  // a barrier reached by some waves of a workgroup only
  deadlock,            // no wave can run
  misaligned,          // below what the ISA needs in the mode HSA sets
  inactive_lane,       // the value of an inactive lane was used
  wmma_replication,    // gfx11: A or B of a matrix instruction differs between lanes 0-15 and 16-31
  limit,               // LDS, registers or launch shape above the arch's or the object's limit
  wait_counter,        // a destination used before its wait
  double_write,        // one output element written by two owners
  unwritten_output,    // an output element nobody wrote
  input_modified,      // an input buffer changed
  device_fault,        // a GPU ended the launch: memory that is not mapped, an illegal instruction
};
std::string_view name_of(FindingKind k);
std::optional<FindingKind> finding_kind_from(std::string_view name);

// One side of a finding. Unknown fields keep -1 or stay empty.
struct Party {
  int64_t workgroup = -1;
  int wave = -1;
  int lane = -1;
  uint64_t pc = 0;            // address in the code object
  std::string instruction{};  // as the disassembler prints it
  std::string source{};  // file:line, then the calls it was inlined into: "a.h:8 in f < b.hip:20"
  std::vector<std::string> files{};  // path:line of the same places where they are known; of this
                                     // machine: neither printed nor stored
};

struct Finding {
  FindingKind kind{};
  std::string kernel{};  // symbol, demangled where possible
  Party at{};
  std::optional<Party> other{};      // the earlier access of a race
  std::string buffer{};              // buffer name, "LDS", or empty
  int64_t offset = -1;               // byte offset in the buffer
  int bytes = 0;                     // width of the access
  std::string detail{};              // one sentence with the numbers that matter
  std::string born{};                // undefined values: where the value was born
  std::vector<std::string> trace{};  // lines: last instructions and registers of the wave, if asked
};

// "\n  " before each line.
std::string trace_text(const std::vector<std::string>& trace);

// Several lines, no trailing newline.
std::string to_string(const Finding& f);

}  // namespace w4
