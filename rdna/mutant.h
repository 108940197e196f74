// A mutation under way: while one lives, its instruction stands in a program instead of the decoded
// one, so that all mutants of a kernel share what was decoded and nothing else pays for them.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "rdna/mutation.h"

namespace w4::rdna {

class Mutant {
 public:
  Mutant() = default;
  ~Mutant();
  Mutant(const Mutant&) = delete;

  // Why it cannot: the code has no such instruction, or the operator no such variant there; empty:
  // done. Call once.
  std::string put_into(Program& program, const Mutation& m);

  uint64_t runs() const { return runs_; }

  // For the handler that stands in the program.
  template <int T>
  void run(Wave& w, const Op& op);

 private:
  bool first_of_wave(const Wave& w);

  Program* program_ = nullptr;
  uint32_t index_ = 0;
  const Op* before_ = nullptr;
  Op op_;
  std::deque<Op> inner_;
  Handler real_[2] = {nullptr, nullptr};
  Variant::Way way_ = Variant::Way::as_op;
  uint64_t runs_ = 0;
  uint64_t group_ = 0;  // the workgroup of `done_`
  std::vector<bool> done_;
};

}  // namespace w4::rdna
