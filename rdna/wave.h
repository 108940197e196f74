// The architectural state of one wave32, with its definedness: per lane and register half for
// VGPRs, per bit for SGPRs, VCC, EXEC and SCC. "Defined" bit = 1.
#pragma once

#include <cstdint>

#include "rdna/fp_model.h"
#include "rdna/lanes.h"
#include "rdna/op.h"

namespace w4::rdna {

struct Workgroup;

inline constexpr int kSgprs = 128;
inline constexpr int kVcc = 106, kNull = 124, kM0 = 125, kExec = 126;

// Which lane each lane's value came from, for the confirming run: handlers of exchanges between
// lanes fill it in. reg: the VGPR that was read; -1: no exchange. from: -1 where no lane was read.
struct LaneMoves {
  int reg = -1;
  int8_t from[kLanes];
};

enum class WaveState : uint8_t {
  ready,
  yielded,  // ready, but its turn is over: it completed a barrier, and all waves compete anew
  at_barrier,
  done,
  stopped  // finding or Unsupported
};

struct Wave {
  // VGPRs: `vgprs` rows, allocated by the workgroup from the kernel's descriptor.
  Lanes* v = nullptr;
  uint32_t* dlo = nullptr;  // dlo[r] bit l: low half of VGPR r in lane l is defined
  uint32_t* dhi = nullptr;  // the same for the high half
  uint16_t vgprs = 0;

  uint32_t s[kSgprs] = {};
  uint32_t sdef[kSgprs] = {};  // bit i: bit i of the SGPR is defined; sdef[kNull] stays all ones
  bool scc = false, scc_def = false;

  // MODE fields that handlers ask for (set from the descriptor, changed by s_setreg / s_*_mode).
  uint8_t round32 = 0, round16_64 = 0;    // 0 RNE, 1 +inf, 2 -inf, 3 zero
  uint8_t denorm32 = 3, denorm16_64 = 3;  // bit 0 keep input, bit 1 keep output denormals
  bool dx10_clamp = true, ieee = true;
  FpModel fp = FpModel::ieee;  // of the launch
  // Check `lanes`: a result that depends on an inactive lane counts as undefined, and handlers add
  // its lanes to from_inactive (which the confirming run clears before each op).
  bool lane_use = false;
  uint32_t from_inactive = 0;
  LaneMoves* moves = nullptr;  // only in the confirming run

  uint32_t acquired =
      0;  // check `globalrace`: waves whose atomics this one has met since a barrier

  uint32_t pc = 0;           // index of the next op in the program
  uint64_t steps = 0;        // wave-instructions run before this turn
  uint64_t clock_reads = 0;  // the clock moves with both
  WaveState state = WaveState::ready;
  int id = 0;                  // in the workgroup
  uint64_t barrier_phase = 0;  // the phase of the workgroup in which this wave last arrived
  uint64_t barrier_pc = 0;     // where it arrived
  bool arrived = false;        // … and that phase has not been waited for yet
  Workgroup* group = nullptr;

  uint32_t exec() const { return s[kExec]; }
  uint32_t vcc() const { return s[kVcc]; }
  // MODE as s_getreg reads it.
  uint32_t mode() const {
    return static_cast<uint32_t>(round32 | round16_64 << 2 | denorm32 << 4 | denorm16_64 << 6 |
                                 dx10_clamp << 8 | ieee << 9);
  }
};

}  // namespace w4::rdna
