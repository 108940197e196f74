// Check `globalrace`: two accesses of one byte of a buffer that the kernel may write, not both
// atomic, at least one a write, from two workgroups, or from two waves of one workgroup with no
// barrier between. Workgroups run one after another, so each stretch between two barriers gets the
// next number, and comparing numbers tells which case two accesses are. An atomic on a location
// that another workgroup (or wave) has used atomically orders what that one did up to its last
// atomic before it: the way of counters and semaphores. That may be more than the program's fences
// order, so the check never alarms on them and may miss a fence left out. Not reported either: a
// plain read against an atomic (compilers begin compare-and-swap loops with one), and loads that
// bypass the near caches, which is what atomic loads look like. Buffers above 1 GiB are not
// watched.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "rdna/op.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

enum class Use : uint8_t { read, write, atomic, atomic_read, group_read };

// Last accesses of the bytes of one buffer: entries of two bytes until a byte access appears.
// Entry: stretch << 32 | place of the instruction << 13 | lane << 8 | wave << 3 | flags; 0: none.
struct RaceShadow {
  struct Free {
    void operator()(uint64_t* p) const { std::free(p); }
  };
  using Cells = std::unique_ptr<uint64_t[], Free>;  // zeros that cost what is touched
  static Cells cells(uint64_t n) {
    return Cells(static_cast<uint64_t*>(std::calloc(n, sizeof(uint64_t))));
  }
  Cells writer, reader;  // no reader until the first read
  uint64_t entries = 0;
  int shift = 1;  // log2 of the bytes per entry
};

// The numbering of one launch.
struct Races {
  struct Span {  // a workgroup: the numbers of its stretches start here
    uint32_t first = 0;
    uint64_t workgroup = 0;
    uint32_t last_atomic = 0;  // its last stretch with an atomic; 0: none
  };
  std::vector<Span> spans;
  uint32_t first = 0;          // of the launch: older entries are of other launches
  uint32_t now = 0;            // the stretch that runs
  uint32_t ordered_below = 0;  // the workgroup has synchronised with those that began before

  void next_workgroup(uint64_t number) {
    spans.push_back({++now, number, 0});
    ordered_below = 0;
  }
  void barrier() { ++now; }
};

// Lanes of `lanes` use n bytes at `offset[lane]` of b. False: a race was reported.
bool note_global_use(Wave& w, const Op& op, Buffer& b, const uint64_t* offset, uint64_t n,
                     uint32_t lanes, Use use);

// For a workgroup that runs before its turn and meets what others may write: ends it. False.
bool wait_for_turn(Wave& w);

// What a load is, by its cache policy. gfx12 tells the scope of the workgroup from wider ones.
inline Use load_use(const Workgroup& g, const Op& op) {
  constexpr int64_t kGlc = 1, kScopeEngine = 8, kScopeDevice = 16;
  if (g.launch->program->code().major != 12) return op.imm[1] & kGlc ? Use::atomic_read : Use::read;
  if (op.imm[1] & kScopeDevice) return Use::atomic_read;
  return op.imm[1] & kScopeEngine ? Use::group_read : Use::read;
}

inline bool global_use(Wave& w, const Op& op, Buffer& b, const uint64_t* offset, uint64_t n,
                       uint32_t lanes, Use use) {
  if (!b.writable) return true;
  const Launch& launch = *w.group->launch;
  if (launch.log) [[unlikely]]
    return wait_for_turn(w);
  if (!launch.races) return true;
  return note_global_use(w, op, b, offset, n, lanes, use);
}

}  // namespace w4::rdna
