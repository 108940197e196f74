// Runs workgroups of one launch on several threads, with the results of one thread: each workgroup
// keeps its stores aside (store_log.h) and they are applied in the schedule's order. The first
// workgroup in that order that needs the results of others, would alarm a check, stops the launch
// or reaches the step limit ends this; it and what follows are for one thread, which runs them as
// if it had run them all.
#pragma once

#include <memory>
#include <vector>

#include "rdna/machine.h"
#include "rdna/schedule.h"

namespace w4::rdna {

class Ahead {
 public:
  // Runs the workgroups in `order` from the first on as far as that goes, on config->threads
  // threads where the work is worth it. Returns the place in `order` from which one thread must go
  // on.
  uint64_t run(Launch& launch, const WaveStart& start, const GridOrder& order);

 private:
  struct Run;
  std::vector<std::unique_ptr<Machine>> machines_;
};

}  // namespace w4::rdna
