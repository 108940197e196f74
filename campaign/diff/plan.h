// The calls that two modules are asked: drawn by the shipped generators, legal and illegal, and
// those of suites. A pure function of seed, kernels, devices and suites.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/case.h"
#include "core/result.h"

namespace w4::diff {

// A kernel that both modules have.
struct Compared {
  std::string name;
  bool experts = false;
  std::set<std::string> clauses;  // that either declares
};

struct Draw {
  std::vector<std::string> suites, devices;  // devices: at least one
  uint64_t seed = 1;
  int64_t cases = 0;  // legal ones of each kernel; a third as many break clauses
  std::function<bool()> stop = [] { return false; };  // asked often; true: no more of them
};

struct Call {
  Case value;
  bool run = false;    // a legal case, or one of a suite: where both take it, it is run
  bool asked = false;  // by contract()
};

struct Drawn {
  std::vector<Call> calls;
  int64_t not_drawn = 0;  // legal ones, because of `stop`
};

// A suite's case keeps its data and its device, where that is one of `devices`, and loses its law.
// Errors: an unknown suite.
Result<Drawn> draw(const std::vector<Compared>& kernels, const Draw& how);

// Cases that show what a kernel asks of the machine (`audit figures`), in each encoding of
// zero points with another G; of a kernel that is not built in, those of the built-in ones of its
// kind.
std::vector<Case> work_cases(const Compared& kernel, const std::string& device);

}  // namespace w4::diff
