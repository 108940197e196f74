// Check `waits`: a register that a load has yet to write is read or overwritten before the wait
// that covers the load. Here memory is complete when its instruction is, so only this book of
// counters sees such code; on hardware it reads stale registers.
//
// Rules (RDNA3 and RDNA4 ISA documents, "Data dependency resolution"; counts as LLVM 19's
// SIInsertWaitcnts takes them):
//   gfx11    gfx12     counts                                              comes back
//   vmcnt    loadcnt   vector memory loads, atomics that return, flat      in order
//   lgkmcnt  dscnt     LDS, flat (stores too)                              in order
//   lgkmcnt  kmcnt     scalar loads, messages that return                  in any order: only 0
//   counts vscnt    storecnt  stores, atomics that return nothing: no register waits for them
//   expcnt   expcnt    exports, which compute kernels have not; stores have read their data when
//                      the next instruction issues, so overwriting it needs no wait
// A flat load is complete when both of its counters say so. With a limit of N, an operation is
// surely complete if more than N of its own in-order kind were issued from it on. Two loads of one
// in-order kind may name one destination without a wait between. LLVM's partial waits for flat
// loads rest on its claim that gfx10 and later count them in order; the documents advise a wait for
// 0.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rdna/program.h"
#include "rdna/wave.h"

namespace w4::rdna {

class WaitCounters {
 public:
  // On input `program` was made with its waits kept.
  void start_launch(const Program& program);
  void start_workgroup(size_t waves);
  // Before op, at `index` of the program, runs. False: a finding, and the wave has stopped.
  bool step(Wave& w, uint32_t index, const Op& op);

 private:
  // VGPRs 0-255, then SGPRs 0-127.
  struct Registers {
    std::array<uint64_t, 6> bits{};
    void add(const Operand& o, int vgprs);
    bool meets(const Registers& o) const {
      uint64_t any = 0;
      for (size_t i = 0; i < bits.size(); ++i) any |= bits[i] & o.bits[i];
      return any != 0;
    }
    int first_common(const Registers& o) const;  // -1: none
  };
  enum class Path : uint8_t { none, vmem, lds, flat, scalar };
  static constexpr uint8_t kNoLimit = 0xff;
  // What the check needs to know of an instruction.
  struct Effect {
    bool known = false;
    Path path = Path::none;
    bool counts_vm = false, counts_ds = false;
    bool waits = false;
    std::array<uint8_t, 3> limit{kNoLimit, kNoLimit, kNoLimit};  // vm, ds, km
    Registers sources, written;
  };
  struct InFlight {
    Path path = Path::none;
    uint32_t vm = 0, ds = 0;  // numbers of the operation in its counters; 0: not counted there
    Registers written;
    uint64_t pc = 0;
  };
  struct Counter {
    uint32_t issued = 0, done = 0;
    uint32_t issue();
    void wait(uint32_t limit) {
      if (issued > limit && issued - limit > done) done = issued - limit;
    }
  };
  struct Book {
    Counter vm, ds;
    std::vector<InFlight> in_flight;
    Registers pending;
    void settle(bool scalars_done);
  };

  const Effect& effect(uint32_t index, const Op& op);
  Effect read(const Op& op) const;
  bool hazard(Wave& w, const Op& op, const Effect& e, const Book& book) const;
  void report_use(Wave& w, const Op& op, const InFlight& load, int reg, bool read,
                  const Book& book) const;

  const Program* program_ = nullptr;
  uint64_t program_id_ = 0;
  std::vector<Effect> effects_;  // by index of the program
  std::vector<Book> books_;      // by wave
};

}  // namespace w4::rdna
