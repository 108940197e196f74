#include "rdna/grid.h"

#include "rdna/schedule.h"

namespace w4::rdna {

void Grid::run(Launch& launch, const WaveStart& start) {
  const Dim3 grid = launch.config->grid;
  const GridOrder order(launch.config->schedule, uint64_t{grid.x} * grid.y * grid.z);
  launch.steps_left = launch.config->step_limit;
  uint64_t i = launch.report->ahead = ahead_.run(launch, start, order);
  if (i < order.total()) machine_.prepare(launch, start);
  for (; i < order.total() && !launch.stop; ++i) machine_.run(launch, start, order.at(i));
}

}  // namespace w4::rdna
