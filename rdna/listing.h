// The code of a kernel, disassembled, with what ran of it: every instruction that control can reach
// from its entry, device functions included, in the order of addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rdna/control.h"
#include "rdna/coverage.h"

namespace w4::rdna {

struct ListedInstruction {
  using Control = rdna::Control;
  Control control{};
  uint64_t pc = 0, target = 0;
  uint32_t size = 0;             // bytes; 0: these are no instruction
  std::string text, source;      // source "file:line", innermost, or empty
  uint64_t count = 0;            // wave-instructions; waves stopped inside a block count to its end
  uint64_t taken = 0, fell = 0;  // of a conditional branch: to its target, to the next instruction
};

struct Listing {
  std::vector<ListedInstruction> code;
  // Edges: both ways of a conditional branch, a jump's or call's one; indirect ones are not known
  // before they run.
  uint64_t instructions = 0, instructions_run = 0, edges = 0, edges_run = 0;
};

Listing list_code(const KernelCounts& counts);

}  // namespace w4::rdna
