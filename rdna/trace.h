// What the waves of a workgroup ran last and what their registers hold, for reports of a launch
// that asks for it (LaunchConfig::trace). Waits and hints are in it only under the check `waits`:
// nothing else runs them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rdna/wave.h"

namespace w4::rdna {

class Trace {
 public:
  static constexpr size_t kKept = 32;  // instructions of a wave
  static constexpr size_t kLanesShown = 4;

  void start_workgroup(size_t waves) { ran_.assign(waves, {}); }
  // Wave w is about to run what is at pc.
  void runs(const Wave& w, uint64_t pc) {
    Ran& r = ran_[static_cast<size_t>(w.id)];
    r.pc[r.count++ % kKept] = pc;
  }
  // Lines: the last instructions of w with their source, oldest first, then what the registers that
  // op names hold now, in `lanes` (0: the active ones; first of all in `lane` unless that is -1),
  // and EXEC, VCC, SCC, M0, MODE. A hexadecimal digit with an undefined bit is a `?`.
  std::vector<std::string> of(const Wave& w, const Op& op, uint32_t lanes, int lane = -1) const;
  // One line a wave of `here`'s workgroup: where it waits, ended, or would go on.
  std::vector<std::string> waves(const Wave& here) const;

 private:
  struct Ran {
    std::array<uint64_t, kKept> pc{};  // a ring
    uint64_t count = 0;
  };
  std::vector<Ran> ran_;  // by wave
};

}  // namespace w4::rdna
