// What the waves of one workgroup share, and what all workgroups of a launch share. Handlers reach
// both through Wave::group.
#pragma once

#include <atomic>
#include <set>
#include <unordered_set>
#include <vector>

#include "rdna/emulator.h"
#include "rdna/memory_impl.h"
#include "rdna/program.h"
#include "rdna/wave.h"

namespace w4::rdna {

class Confirm;
class Mutant;
struct Races;  // checks/global_race.h
class StoreLog;
class Trace;

struct Launch {
  Memory::Impl* memory = nullptr;
  const LaunchConfig* config = nullptr;
  const KernelInfo* kernel = nullptr;
  Program* program = nullptr;
  LaunchReport* report = nullptr;
  Address image = 0;  // load address of the code object: linked address 0 is here
  uint32_t checks = 0;
  uint32_t number = 0;      // of this launch in this emulator: tags writers
  uint64_t steps_left = 0;  // wave-instructions until the step limit
  bool stop = false;        // enough findings, Unsupported or the step limit
  bool track = false;       // definedness is carried (check uninit, or confirm)
  std::set<std::pair<FindingKind, uint64_t>> seen;  // one finding per kind and pc
  std::span<uint8_t> edges;
  Confirm* confirm = nullptr;
  Races* races = nullptr;  // check `globalrace`
  // Where workgroups run before their turn (ahead.h): their stores, the place of the one that runs
  // in the schedule's order, and the place from which on none is wanted any more.
  StoreLog* log = nullptr;
  uint64_t place = 0;
  const std::atomic<uint64_t>* wanted_below = nullptr;
  bool wanted() const { return !wanted_below || place < wanted_below->load(); }
  Trace* trace = nullptr;      // where it is asked for
  Mutant* mutant = nullptr;    // whose op stands in `program`
  Figures* figures = nullptr;  // where they are asked for; never in a confirming run
};

// LDS bytes with their shadow: per 2 bytes (per byte once a byte access appears) who wrote and who
// read since the last barrier, and whether the value is defined. Entries are stamped with an
// epoch, so a new workgroup or a barrier costs one increment and no memset.
struct Lds {
  // entry = epoch << 7 | (wave + 1) << 1 | undefined; wave field kMany: several waves (readers)
  static constexpr uint32_t kWaveBits = 6, kMany = 63, kAtomic = 62;  // kAtomic: only atomics wrote
  std::vector<uint8_t> bytes;  // capacity; `size` is what this launch has
  uint32_t size = 0;
  std::vector<uint32_t> writer, reader;
  uint32_t epoch = 1;        // since the last barrier
  uint32_t first_epoch = 1;  // of this workgroup: older entries are never-written bytes
  // Places of compare-and-swaps since the last barrier: there a plain read is no race against an
  // atomic, as the loop around a swap begins with one and may end after it (a maximum).
  std::unordered_set<uint64_t> swapped;
  int shift = 1;        // log2 of the bytes per entry
  bool shadow = false;  // any check wants it

  uint32_t stamp(int wave) const { return epoch << 7 | static_cast<uint32_t>(wave + 1) << 1; }
  void start(uint32_t bytes_now);  // new launch
  void next_workgroup();
  void barrier();
  void to_bytes();  // 2-byte entries become byte entries
};

struct Workgroup {
  Launch* launch = nullptr;
  uint32_t checks = 0;
  uint64_t number = 0;  // linear index in the grid
  Dim3 id;
  std::vector<Wave> waves;
  bool wave_stopped = false;  // by a finding
  Lds lds;
  // Barrier: waves that arrived in this phase; a phase ends when every live wave has arrived.
  int live = 0, arrived = 0;
  uint64_t phase = 0;
  // Scratch: per wave and lane `scratch_bytes` bytes and their definedness, lane-contiguous.
  uint32_t scratch_bytes = 0;
  std::vector<uint8_t> scratch, scratch_state;

  bool checks_on(Check c) const { return (checks & c) != 0; }
  uint8_t* scratch_of(const Wave& w, int lane) {
    return scratch.data() +
           (static_cast<size_t>(w.id) * kLanes + static_cast<size_t>(lane)) * scratch_bytes;
  }
  uint8_t* scratch_state_of(const Wave& w, int lane) {
    return scratch_state.data() +
           (static_cast<size_t>(w.id) * kLanes + static_cast<size_t>(lane)) * scratch_bytes;
  }
};

// Barrier protocol, used by the branch rows and when a wave ends.
void arrive(Wave& w, const Op& op);  // s_barrier, s_barrier_signal
void complete_phase_if_all_arrived(Workgroup& g);
void end_wave(Wave& w);

}  // namespace w4::rdna
