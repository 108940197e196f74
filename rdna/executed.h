// Which instructions of one kernel ran, from its edge counts, and what can be done to them. Keeps
// what it has decoded, so that many counts of one kernel cost its code once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/mutation.h"
#include "rdna/control.h"
#include "rdna/coverage.h"

namespace w4::rdna {

class Program;

class Executed {
 public:
  Executed(std::shared_ptr<const CodeObject> object, size_t kernel);
  ~Executed();
  Executed(Executed&&) noexcept;

  const KernelInfo& info() const;
  // Linked addresses in ascending order; of a wave that stopped inside a block, to the block's end.
  std::vector<uint64_t> of(const KernelCounts& counts);
  // Everything that control can reach, as listings have it (device functions that are called by
  // register only where they ran).
  std::vector<uint64_t> reachable() const;
  std::vector<Mutation> mutations(std::span<const uint64_t> pcs);
  std::string text(uint64_t pc) const;    // of the instruction
  std::string source(uint64_t pc) const;  // innermost "file:line", or empty

 private:
  struct Place {
    uint32_t size = 0;
    Control control{};
  };
  const Place& place(uint64_t pc);

  std::shared_ptr<const CodeObject> object_;
  size_t kernel_;
  std::unique_ptr<Program> program_;
  std::map<uint64_t, Place> places_;
};

}  // namespace w4::rdna
