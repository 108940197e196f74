// One case to its verdict, in this process: verify's run_case with what its cases share.
#pragma once

#include <memory>

#include "core/case.h"
#include "core/verdict.h"
#include "verify/diff/run_for_output.h"

namespace w4 {

namespace rdna {
class Figures;
}

class Runner {
 public:
  explicit Runner(uint32_t threads);  // that a large launch may use
  ~Runner();
  // As Context's: what launches ask of the machine is added to it from now on.
  void count_into(rdna::Figures* figures);
  // Whether a device serves this process no more: its next case belongs into another.
  bool lost() const;
  // Never throws: what escapes the rooms below is a HarnessError.
  Verdict run(const Case& c, bool trace = false);  // `trace`: as in verify/run_case.h
  // On input: the case has no law.
  diff::WithOutput run_for_output(const Case& c);

 private:
  template <class F>
  diff::WithOutput guarded(const Case& c, F run);

  struct Impl;
  uint32_t threads_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace w4
