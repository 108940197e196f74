// A worker with --behaviour: its answer is the verdict's JSON with one more member, what the case
// showed of the kernels (verify/behaviour.h): "behaviour": [[kind, "id in hex"], …]. A worker names
// each behaviour twice and then no more: who counts needs to know none, one, or several cases.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "campaign/runner.h"
#include "core/result.h"
#include "verify/behaviour.h"

namespace w4 {

class Shown {
 public:
  // One line.
  std::string answer(const Case& c, Runner& runner, bool trace);

 private:
  bool told_twice(const Behaviour& b);

  Observer observer_;
  std::unordered_map<uint64_t, int> told_;  // by id, which is a hash: kinds do not meet
};

// Of an answer; nothing where it has no such member. The error says what is wrong with it.
Result<std::vector<Behaviour>> shown_in(std::string_view answer);

}  // namespace w4
