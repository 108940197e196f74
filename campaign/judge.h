// Cases to verdicts as `rerun` has them, one after the other: native code in a worker, which stays.
#pragma once

#include "campaign/execute.h"
#include "campaign/one_worker.h"
#include "campaign/runner.h"

namespace w4 {

class Judge {
 public:
  explicit Judge(ExecuteOptions options)
      : options_(std::move(options)), worker_(options_), runner_(options_.threads) {}
  Judge(const Judge&) = delete;

  // Where Ctrl-C ends the wait for a worker: Skipped; the worker goes with this.
  Verdict operator()(const Case& c);

 private:
  ExecuteOptions options_;
  OneWorker worker_;
  Runner runner_;
};

}  // namespace w4
