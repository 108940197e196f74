// Which other runs of a store show a failure: the same kernel, verdict and pattern.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/result.h"
#include "results/store.h"

namespace w4 {

class History {
 public:
  // Of all runs but `run`, the newest first, at most kRuns of them.
  static constexpr size_t kRuns = 50;
  static Result<History> read(Store& store, int64_t run);

  // [{"run", "started", "build", "cases"}], the newest first.
  nlohmann::json of(const StoredFailure& f) const;

 private:
  static std::string key(const StoredFailure& f) {
    return f.kernel + '\0' + f.kind + '\0' + f.pattern;
  }
  std::map<std::string, nlohmann::json> by_key_;
};

}  // namespace w4
