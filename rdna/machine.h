// Runs workgroups, one at a time. Storage for waves, LDS and scratch is kept from launch to launch,
// so that a small launch allocates nothing.
#pragma once

#include "rdna/checks/wait_counters.h"
#include "rdna/turns.h"
#include "rdna/wave_start.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

class Machine {
 public:
  void prepare(Launch& launch, const WaveStart& start);
  // Runs workgroup `number` to its end, or until launch.stop. On input the launch is the one that
  // was prepared; findings, steps and the end go into launch.report.
  void run(Launch& launch, const WaveStart& start, uint64_t number);

 private:
  // Runs at most `steps` instructions of w; returns how many.
  uint64_t run_wave(Launch& launch, Wave& w, uint64_t steps);

  Workgroup group_;
  Turns turns_;
  WaitCounters waits_;
  std::vector<Lanes> vgprs_;
  std::vector<uint32_t> masks_;
  uint32_t entry_ = 0;
};

}  // namespace w4::rdna
