// Ballots: the same call for every device, drawn by number, run in workers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "campaign/execute.h"
#include "campaign/vote/tally.h"

namespace w4::vote {

// Call `number` of a seed: legal, of each generated row in turn, and the same whatever device runs
// it, because it says what the device reports of itself. On its device no arithmetic but the
// device's own is asked for. `largest`: multiply-adds; 0: as drawn.
Case drawn(uint64_t seed, int64_t number, int64_t largest = 0);

struct Poll {
  std::vector<std::string> devices;
  int64_t cases = 0, largest = 0;
  uint64_t seed = 1;
  std::function<bool()> stop{};             // asked often; true: what was not finished is left out
  std::function<void(int64_t)> progress{};  // ballots so far
};

// All devices of a ballot are asked by one worker. A device that says that it is not there is not
// asked again: the rest of its voices repeat that. Errors are the harness's own.
Result<Tally> hold(const Poll& poll, const ExecuteOptions& options);

// Of the differences that a tally keeps, the share of the interval that they take.
void measure(Tally& tally);

}  // namespace w4::vote
