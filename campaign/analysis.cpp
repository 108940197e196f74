#include "campaign/analysis.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "campaign/explanation_json.h"
#include "campaign/judge.h"
#include "campaign/report/depiction_json.h"
#include "results/documents.h"
#include "results/failure_key.h"
#include "results/text.h"
#include "verify/explain/explain.h"
#include "verify/run_case.h"
#include "verify/shrink/shrink.h"

namespace w4 {
namespace {

using nlohmann::json;

// At the lowest priority a second may be long: cases are the limit that counts.
constexpr int64_t kShrinkCases = 2000;

json shrink_line(const Case& c, double seconds) {
  ExecuteOptions options;
  options.otherwise = 120;
  Judge judge(options);
  const Shrunk s = shrink(c, std::ref(judge), {.cases = kShrinkCases, .seconds = seconds});
  if (s.end == Shrunk::End::green) return {{"green", true}};
  const FailureKey key =
      failure_key({.suite = "", .kernel = c.kernel, .device = "", .verdict = s.verdict});
  return {{"line", to_string(s.smallest)}, {"kind", key.kind}, {"pattern", key.pattern}};
}

// Multiply-adds of a line that is depicted as it was found: a quarter of a second of the emulator.
constexpr double kSmallEnough = 5e7;

bool small_enough(const Case& c) {
  const Problem& p = c.problem;
  return static_cast<double>(slots(p)) * static_cast<double>(p.n) * static_cast<double>(p.k) <=
         kSmallEnough;
}

// A few elements may be what several defects would make of them: what explains the smallest line
// and not the line that was found is no explanation. That line's own takes its place.
void hold_against(const Case& found, double seconds, Context& context, explain::Explanation& e) {
  using explain::Certainty;
  const bool several = e.certainty == Certainty::several;
  if (!several && e.certainty != Certainty::exact && e.certainty != Certainty::within) return;
  explain::Explanation other = explain::explain(found, context, {.seconds = seconds});
  // Nothing named says little: its search may have had no time.
  if (other.named.empty()) return;
  const bool same = std::ranges::any_of(
      other.named, [&](const explain::Named& n) { return n.name == e.named.front().name; });
  if (several ? other.named.size() >= e.named.size() : same) return;
  other.how +=
      fmt::format("; of the line as it was found, '{}': smaller ones fit '{}' too",
                  to_string(found), e.named[same && several && e.named.size() > 1 ? 1 : 0].says);
  e = std::move(other);
}

json explain_line(const Case& c, const std::optional<Case>& found, double seconds) {
  Context context;
  explain::Explanation e = explain::explain(c, context, {.seconds = seconds / 2});
  if (found && *found != c && small_enough(*found)) hold_against(*found, seconds / 2, context, e);
  return {{"hypothesis", e.named.size() == 1 ? e.named.front().name : ""},
          {"explanation", explanation_json(e)}};
}

// The line as it was found where it is not too large: a picture of one element shows nothing.
json depict_line(const Case& smallest, const std::optional<Case>& found, double seconds) {
  Context context;
  depict::Limits limits;
  limits.seconds = seconds;
  if (found && small_enough(*found)) {
    if (const Verdict v = run_case(*found, context); !v.green())
      return {{"depiction", depiction_json(depict::depict(*found, v, context, limits))}};
  }
  const Verdict v = run_case(smallest, context);
  return {{"depiction", depiction_json(depict::depict(smallest, v, context, limits))}};
}

constexpr const char* kTasks[] = {"shrink", "explain", "depict"};

std::string how_it_died(const Death& death) {
  if (death.signal != 0) return fmt::format("ended by signal {}", death.signal);
  return fmt::format("exited with status {}", death.status);
}

}  // namespace

std::string analyse(const std::string& question) {
  const json q = json::parse(question, nullptr, false);
  if (!q.is_object()) return json{{"error", "the question is no JSON object"}}.dump();
  if (q.value("nice", false)) (void)!::nice(19);
  const auto c = parse_case(q.value("line", ""));
  if (!c) return json{{"error", printable_utf8(c.error().text)}}.dump();
  const std::string task = q.value("task", "");
  const double seconds = q.value("seconds", 60.0);
  if (task == "shrink") return shrink_line(*c, seconds).dump();
  const auto parsed = parse_case(q.value("found", ""));
  const std::optional<Case> found = parsed ? std::optional(*parsed) : std::nullopt;
  if (task == "explain") return explain_line(*c, found, seconds).dump();
  if (task == "depict") return depict_line(*c, found, seconds).dump();
  return json{{"error", "task: '" + printable_utf8(task) + "'; legal: shrink, explain, depict"}}
      .dump();
}

Result<Analysis> Analysis::begin(Store& store, const StoredFailure& f, std::string build,
                                 const AnalysisTimes& times) {
  const bool shrunk = !f.smallest_line.empty();
  Analysis a(store, f.id, shrunk ? f.smallest_line : f.first_line, std::move(build), times);
  a.found_ = f.first_line;
  a.settled_ = f.state == FailureState::done || f.state == FailureState::gave_up;
  a.update_.state = f.state;
  if (!a.settled_) {
    a.update_.state = FailureState::shrinking;
    if (auto told = store.update_failure(f.id, a.update_); !told)
      return std::unexpected(told.error());
  }
  if (!parse_case(a.line_)) {  // of a target of bytes
    a.document_["why"] = "its input is no case line: no one can shrink or depict it here";
    if (auto told = a.settle(FailureState::gave_up); !told) return std::unexpected(told.error());
    if (auto filed = a.file(); !filed) return std::unexpected(filed.error());
    return a;
  }
  if (auto started = a.start(shrunk ? Stage::explain : Stage::shrink); !started)
    return std::unexpected(started.error());
  return a;
}

Result<void> Analysis::start(Stage stage) {
  stage_ = stage;
  auto child = Child::spawn({"--analyse"});
  if (!child) return std::unexpected(child.error());
  child_ = std::move(*child);
  const double seconds = stage == Stage::shrink    ? times_.shrink
                         : stage == Stage::explain ? times_.explain
                                                   : times_.depict;
  child_->send(json{{"task", kTasks[static_cast<size_t>(stage)]},
                    {"line", line_},
                    {"found", found_},
                    {"seconds", seconds},
                    {"nice", times_.nice}}
                   .dump());
  until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(times_.patience));
  return {};
}

Result<bool> Analysis::tick() {
  if (!child_) return true;
  child_->read_stderr();
  const bool alive = child_->read_stdout();
  if (const auto text = child_->next_line()) return answered(*text);
  if (alive && Clock::now() < until_) return false;
  const Death death = child_->reap(alive);
  child_.reset();
  return failed(alive ? fmt::format("did not answer within {:.0f} s", times_.patience)
                      : how_it_died(death));
}

Result<bool> Analysis::answered(const std::string& text) {
  child_->reap(true);
  child_.reset();
  const json a = json::parse(text, nullptr, false);
  if (!a.is_object()) return failed("gave no answer that can be read");
  if (a.contains("error")) return failed(a.value("error", ""));
  Result<void> next;
  switch (stage_) {
    case Stage::shrink:
      if (a.value("green", false)) {
        document_["green"] = true;
        document_["why"] = "the line is green when it runs again";
        next = settle(FailureState::gave_up);
        if (next) next = file();
        break;
      }
      line_ = update_.smallest_line = a.value("line", "");
      update_.kind = a.value("kind", "");
      update_.pattern = a.value("pattern", "");
      next = start(Stage::explain);
      break;
    case Stage::explain:
      document_["explanation"] = a.value("explanation", json());
      update_.hypothesis = a.value("hypothesis", "");
      // It was red when it was shrunk, or filed.
      if (const json& e = document_["explanation"];
          e.is_object() &&
          e.value("certainty", "") == explain::name_of(explain::Certainty::nothing)) {
        document_["green"] = true;
        document_["why"] = "the line is green when it runs again";
      }
      next = settle(FailureState::done);
      if (next) next = start(Stage::depict);
      break;
    case Stage::depict:
      document_["depiction"] = a.value("depiction", json());
      next = file();
      break;
  }
  if (!next) return std::unexpected(next.error());
  return !child_;
}

Result<bool> Analysis::failed(const std::string& why) {
  const std::string_view task = kTasks[static_cast<size_t>(stage_)];
  std::string& all = document_["why"].get_ref<std::string&>();
  all += fmt::format("{}the worker that was to {} it {}", all.empty() ? "" : "; ", task,
                     printable_utf8(why));
  Result<void> next;
  switch (stage_) {
    case Stage::shrink:
      next = settle(FailureState::gave_up);
      if (next) next = start(Stage::explain);
      break;
    case Stage::explain:
      next = settle(update_.state == FailureState::gave_up ? FailureState::gave_up
                                                           : FailureState::done);
      if (next) next = start(Stage::depict);
      break;
    case Stage::depict:
      next = file();
      break;
  }
  if (!next) return std::unexpected(next.error());
  return !child_;
}

Result<void> Analysis::settle(FailureState state) {
  if (settled_) return {};
  settled_ = true;
  update_.state = state;
  const auto kept = store_->update_failure(failure_, update_);
  if (!kept) return std::unexpected(kept.error());
  failure_ = *kept;
  return {};
}

Result<void> Analysis::file() {
  return file_document(*store_,
                       {.kind = "depiction",
                        .name = line_,
                        .build_id = build_,
                        .json = document_.dump(-1, ' ', false, json::error_handler_t::replace)});
}

void Analysis::watch(std::vector<pollfd>& fds) const {
  if (!child_) return;
  fds.push_back({child_->out_fd(), POLLIN, 0});
  fds.push_back({child_->err_fd(), POLLIN, 0});
}

Result<void> Analysis::stop(const std::string& why) {
  if (!child_) return {};
  child_->reap(true);
  child_.reset();
  if (stage_ == Stage::shrink) {
    if (settled_) return {};
    FailureUpdate again;
    again.state = FailureState::fresh;
    if (auto told = store_->update_failure(failure_, again); !told)
      return std::unexpected(told.error());
    return {};
  }
  // What has no explanation yet is better looked at again another time.
  if (stage_ == Stage::explain && document_["explanation"].is_null()) {
    if (auto told = settle(FailureState::done); !told) return told;
    return {};
  }
  document_["why"] = why;
  return file();
}

}  // namespace w4
