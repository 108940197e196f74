// What launches ask of the machine, counted while they run: instructions, memory, LDS, matrix and
// dot units. Counts, not times: they follow from the code and its data alone, whatever the machine
// does with them. A launch counts where LaunchConfig::figures says so, on one thread; it costs
// nothing otherwise. Confirming runs, which repeat a case, are not counted.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "rdna/wave.h"

namespace w4::rdna {

// Bytes of a line, the unit in which RDNA's caches move memory (RDNA3 ISA document, "Memory
// hierarchy"; 128 bytes from L0 to L2).
inline constexpr uint64_t kLineBytes = 128;

// The model of LDS: 32 banks of 4 bytes, word a in bank a mod 32. An access of N bytes a lane is
// served in groups of consecutive lanes that together ask for at most 128 bytes: 32 lanes where
// N <= 4, 16 where N = 8, 8 where N is 12 or 16; each address of a 2addr form is an access of its
// own. A group takes as many cycles as its busiest bank has different words: lanes that read one
// word share it. The least is one cycle for a group with an active lane. (AMD documents the banks,
// not the order of the lanes in wide accesses: consecutive lanes are this model's choice.)
inline constexpr int kLdsBanks = 32;

// Cycles of one access by that model. `address`: byte addresses by lane; `bytes`: of a lane, 1 to
// 16; `lanes`: those that take part. `least`: number of groups with such a lane.
struct LdsCycles {
  uint64_t cycles = 0, least = 0;
};
LdsCycles lds_cycles(const uint64_t* address, int bytes, uint32_t lanes);

// What the lanes of one access ask of global memory together.
struct Touched {
  uint64_t bytes = 0;  // different ones
  uint64_t lines = 0;  // different lines of kLineBytes
};
Touched touched(const uint64_t* address, int bytes, uint32_t lanes);

class Figures {
 public:
  struct Memory {
    uint64_t accesses = 0;     // wave-instructions with an active lane
    uint64_t wide = 0;         // … of 16 bytes a lane
    uint64_t asked = 0;        // bytes, each lane's counted
    uint64_t bytes = 0;        // different bytes of each access
    uint64_t lines = 0;        // different lines of each access
    uint64_t least_lines = 0;  // as few as could hold the different bytes of each access
  };
  struct Lds {
    uint64_t accesses = 0;  // wave-instructions with an active lane; 2addr forms are two
    uint64_t wide = 0;      // … of 16 bytes a lane
    uint64_t cycles = 0, least_cycles = 0;
  };

  uint64_t launches = 0, workgroups = 0, waves = 0;
  uint64_t wave_instructions = 0;  // as LaunchReport: waits and scheduling hints are none
  Memory load, store;              // global, flat and buffer; an atomic is in both
  Memory scalar_load;              // of what is not the kernel's arguments
  Lds lds;                         // loads, stores and atomics; not the lane moves of ds_*permute
  uint64_t scratch = 0;            // wave-instructions on scratch
  uint64_t barriers = 0;           // arrivals of waves
  uint64_t dot2 = 0, wmma = 0;     // wave-instructions; both halves of a VOPD form count
  // Different lines of global memory that all launches so far have touched.
  uint64_t distinct_lines() const { return lines_.size(); }

  // For the emulator: w is about to run op.
  void runs(const Wave& w, const Op& op);

 private:
  void global(const uint64_t* address, int bytes, uint32_t lanes, bool loads, bool stores);
  void shared(const uint64_t* address, int bytes, uint32_t lanes);
  void count(Memory& m, const uint64_t* address, int bytes, uint32_t lanes);
  void scalar(const Wave& w, uint64_t address, int bytes);

  std::unordered_set<uint64_t> lines_;
};

}  // namespace w4::rdna
