#include "campaign/long_run/analyst.h"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "campaign/judge.h"
#include "results/failure_key.h"
#include "results/text.h"
#include "verify/explain/explain.h"
#include "verify/shrink/shrink.h"

namespace w4 {
namespace {

using nlohmann::json;

// At the lowest priority a second may be long: cases are the limit that counts.
constexpr ShrinkLimits kShrink{.cases = 2000, .seconds = 600};
constexpr double kExplainSeconds = 300;
// Before a process that does not answer is killed.
constexpr double kPatience = 900;
// Failures looked at for one that is new; a store with more has other troubles.
constexpr int64_t kMostFailures = 1000;

json shrink_line(const Case& c) {
  ExecuteOptions options;
  options.otherwise = 120;
  Judge judge(options);
  const Shrunk s = shrink(c, std::ref(judge), kShrink);
  if (s.end == Shrunk::End::green) return {{"error", "it does not fail again"}};
  const FailureKey key =
      failure_key({.suite = "", .kernel = c.kernel, .device = "", .verdict = s.verdict});
  return {{"line", to_string(s.smallest)}, {"kind", key.kind}, {"pattern", key.pattern}};
}

json explain_line(const Case& c) {
  Context context;
  const explain::Explanation e = explain::explain(c, context, {.seconds = kExplainSeconds});
  return {{"hypothesis", e.named.size() == 1 ? e.named.front().name : ""}};
}

}  // namespace

std::string analyse(const std::string& question) {
  (void)!::nice(19);
  const json q = json::parse(question, nullptr, false);
  if (!q.is_object()) return json{{"error", "the question is no JSON object"}}.dump();
  const auto c = parse_case(q.value("line", ""));
  if (!c) return json{{"error", printable_utf8(c.error().text)}}.dump();
  return (q.value("task", "") == "explain" ? explain_line(*c) : shrink_line(*c)).dump();
}

Result<void> Analyst::tick() {
  if (!child_) return look_ ? take_next() : Result<void>{};
  child_->read_stderr();
  const bool alive = child_->read_stdout();
  if (const auto text = child_->next_line()) return answered(*text);
  if (alive && Clock::now() < until_) return {};
  child_->reap(true);
  child_.reset();
  return failed();
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
  task_ = {.failure = next->id, .explains = false, .line = next->first_line, .update = {}};
  if (!parse_case(task_.line)) return end(FailureState::gave_up);  // of a target of bytes
  task_.update.state = FailureState::shrinking;
  if (auto told = store_.update_failure(task_.failure, task_.update); !told)
    return std::unexpected(told.error());
  return start(false);
}

Result<void> Analyst::start(bool explains) {
  task_.explains = explains;
  auto child = Child::spawn({"--analyse"});
  if (!child) return std::unexpected(child.error());
  child_ = std::move(*child);
  child_->send(json{{"task", explains ? "explain" : "shrink"}, {"line", task_.line}}.dump());
  until_ = Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kPatience));
  return {};
}

Result<void> Analyst::answered(const std::string& text) {
  child_->reap(true);
  child_.reset();
  const json a = json::parse(text, nullptr, false);
  if (!a.is_object() || a.contains("error")) return failed();
  if (task_.explains) {
    task_.update.hypothesis = a.value("hypothesis", "");
    return end(FailureState::done);
  }
  task_.line = task_.update.smallest_line = a.value("line", "");
  task_.update.kind = a.value("kind", "");
  task_.update.pattern = a.value("pattern", "");
  return start(true);
}

Result<void> Analyst::failed() {
  return end(task_.explains ? FailureState::done : FailureState::gave_up);
}

Result<void> Analyst::end(FailureState state) {
  task_.update.state = state;
  if (auto told = store_.update_failure(task_.failure, task_.update); !told)
    return std::unexpected(told.error());
  look_ = true;
  return {};
}

void Analyst::watch(std::vector<pollfd>& fds) const {
  if (!child_) return;
  fds.push_back({child_->out_fd(), POLLIN, 0});
  fds.push_back({child_->err_fd(), POLLIN, 0});
}

Result<void> Analyst::stop() {
  if (!child_) return {};
  child_->reap(true);
  child_.reset();
  FailureUpdate again;
  again.state = FailureState::fresh;
  if (auto told = store_.update_failure(task_.failure, again); !told)
    return std::unexpected(told.error());
  return {};
}

}  // namespace w4
