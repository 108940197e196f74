#include "campaign/long_run/analyst.h"

#include <algorithm>
#include <utility>

#include "verify/build_id.h"

namespace w4 {
namespace {

// Failures looked at for one that is new; a store with more has other troubles.
constexpr int64_t kMostFailures = 1000;

}  // namespace

Result<void> Analyst::tick() {
  if (!at_work_) return look_ ? take_next() : Result<void>{};
  const auto ended = at_work_->tick();
  if (!ended) return std::unexpected(ended.error());
  if (*ended) {
    at_work_.reset();
    look_ = true;
  }
  return {};
}

Result<void> Analyst::take_next() {
  const auto all = store_.failures(run_, kMostFailures);
  if (!all) return std::unexpected(all.error());
  // Shrinking: what an earlier part of the campaign was at when it was killed.
  const auto next = std::ranges::find_if(*all, [](const StoredFailure& f) {
    return f.state == FailureState::fresh || f.state == FailureState::shrinking;
  });
  look_ = next != all->end();
  if (!look_) return {};
  auto begun = Analysis::begin(store_, *next, std::string(build_id()), AnalysisTimes{});
  if (!begun) return std::unexpected(begun.error());
  at_work_.emplace(std::move(*begun));
  return {};
}

void Analyst::watch(std::vector<pollfd>& fds) const {
  if (at_work_) at_work_->watch(fds);
}

Result<void> Analyst::stop() {
  if (!at_work_) return {};
  const auto stopped = at_work_->stop("the campaign was stopped meanwhile");
  at_work_.reset();
  return stopped;
}

}  // namespace w4
