// Runs the workgroups of one launch in the order of its schedule.
#pragma once

#include "rdna/ahead.h"
#include "rdna/machine.h"

namespace w4::rdna {

class Grid {
 public:
  void run(Launch& launch, const WaveStart& start);  // results go into launch.report

 private:
  Machine machine_;
  Ahead ahead_;
};

}  // namespace w4::rdna
