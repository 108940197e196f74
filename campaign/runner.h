// One case to its verdict, in this process: verify's run_case with what its cases share.
#pragma once

#include <memory>

#include "core/case.h"
#include "core/verdict.h"

namespace w4 {

class Runner {
 public:
  Runner();
  ~Runner();
  // Never throws: what escapes the rooms below is a HarnessError.
  Verdict run(const Case& c);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace w4
