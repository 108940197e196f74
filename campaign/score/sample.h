// Which mutants of a kernel are run: a sample of all that its stream executes, spread over
// operators and instructions, by a seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/score/stream.h"
#include "core/mutation.h"

namespace w4::score {

struct Candidate {
  Code code;
  Mutation mutation;
  Place place() const { return {code, mutation.pc}; }
};

struct Sample {
  std::vector<Candidate> chosen;  // in the order of drawing: a shorter sample is its beginning
  // Of every instruction that control can reach in the launched kernels, and of those that ran.
  int64_t instructions = 0, instructions_run = 0, mutations = 0, mutations_run = 0;
  std::vector<int64_t> by_kind = std::vector<int64_t>(kMutationKinds, 0);  // of mutations_run
};

// One of each operator in turn, as long as it has any; of an operator first one at each
// instruction, in random order.
Sample make_sample(Stream& stream, int64_t most, uint64_t seed);

}  // namespace w4::score
