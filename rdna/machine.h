// Runs the workgroups of one launch. Storage for waves, LDS and scratch is kept from launch to
// launch, so that a small launch allocates nothing.
#pragma once

#include "rdna/wave_start.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

class Machine {
 public:
  // Runs the grid in the schedule's order; results go into launch.report.
  void run(Launch& launch, const WaveStart& start);

 private:
  void prepare(Launch& launch, const WaveStart& start);
  void run_workgroup(Launch& launch, const WaveStart& start, uint64_t number);
  void run_wave(Launch& launch, Wave& w, uint64_t steps);

  Workgroup group_;
  std::vector<Lanes> vgprs_;
  std::vector<uint32_t> masks_;
  uint64_t steps_left_ = 0;
  uint32_t entry_ = 0;
};

}  // namespace w4::rdna
