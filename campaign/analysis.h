// What becomes of a failure: it is shrunk, then explained, then depicted (verify/shrink, explain,
// depict), each in a worker process, and what comes of it is filed in the store.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "campaign/child.h"
#include "core/result.h"
#include "results/store.h"

namespace w4 {

// A worker's answer to {"task": "shrink" | "explain" | "depict", "line": "decode …", "seconds": 60,
// "nice": true}, as JSON:
//   shrink   {"line": smallest, "kind", "pattern"}: the key of its failure, or {"green": true}
//   explain  {"hypothesis": "…", "explanation": {…}}; hypothesis: empty where no one alone fits
//   depict   {"depiction": {…}}; with "found": the line before it was shrunk, which is depicted
//            where it is not too large
// or {"error": "…"}.
std::string analyse(const std::string& question);

struct AnalysisTimes {
  double shrink = 600, explain = 300, depict = 300;  // after which each says what it has
  double patience = 900;  // of a process that does not answer, before it is killed
  bool nice = true;       // at the lowest priority
};

// One failure on its way.
class Analysis {
 public:
  // `store` outlives this; `build`: of this w4check, under which it files. Errors are the store's
  // and those of starting a process.
  static Result<Analysis> begin(Store& store, const StoredFailure& f, std::string build,
                                const AnalysisTimes& times);

  // Goes on as far as it can without waiting; true: it has ended.
  Result<bool> tick();
  void watch(std::vector<pollfd>& fds) const;
  // Leaves off. While it shrinks the failure is new again; later what it has is filed, with `why`
  // there is no more.
  Result<void> stop(const std::string& why);

 private:
  enum class Stage : uint8_t { shrink, explain, depict };
  using Clock = std::chrono::steady_clock;
  Analysis(Store& store, int64_t failure, std::string line, std::string build,
           const AnalysisTimes& times)
      : store_(&store),
        failure_(failure),
        line_(std::move(line)),
        build_(std::move(build)),
        times_(times) {}
  Result<void> start(Stage stage);
  Result<bool> answered(const std::string& text);
  Result<bool> failed(const std::string& why);
  Result<void> settle(FailureState state);
  Result<void> file();

  Store* store_;
  int64_t failure_;
  std::string line_;     // to be shrunk, or shrunk
  std::string found_{};  // as it was filed
  std::string build_;
  AnalysisTimes times_;
  FailureUpdate update_{};
  bool settled_ = false;  // it was done before, or is now
  nlohmann::json document_ = {
      {"explanation", nullptr}, {"depiction", nullptr}, {"green", false}, {"why", ""}};
  Stage stage_ = Stage::shrink;
  std::optional<Child> child_{};
  Clock::time_point until_{};
};

}  // namespace w4
