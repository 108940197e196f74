#include "campaign/one_worker.h"

#include <utility>

#include "results/text.h"
#include "results/verdict_json.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

// A fresh process now and then keeps what leaks or fragments in native code bounded. One whose
// memory is watched may grow older: a new one decodes every code object again.
constexpr int kCasesPerWorker = 5000, kCasesPerWatchedWorker = 50'000;
// Asking costs more than a small case may.
constexpr int kAskMemoryEvery = 16;
constexpr const char* kOwnLimit = "the default; --timeout sets another, 0 none";

std::vector<std::string> words_of(const ExecuteOptions& o) {
  std::vector<std::string> out{fmt::format("--threads={}", o.threads)};
  if (o.trace) out.emplace_back("--trace");
  if (o.behaviour) out.emplace_back("--behaviour");
  if (o.outputs) out.emplace_back("--outputs");
  return out;
}

}  // namespace

bool OneWorker::old() const {
  const bool watched = options_.most_bytes > 0;
  if (answered_ >= (watched ? kCasesPerWatchedWorker : kCasesPerWorker)) return true;
  return watched && answered_ > 0 && answered_ % kAskMemoryEvery == 0 &&
         child_->resident_bytes() > options_.most_bytes;
}

Result<void> OneWorker::ask(const PlannedCase& p) {
  // Host code may ask its device once and keep what it heard.
  const std::string told = told_to_native_code(p.value);
  const bool other_device =
      options_.new_process_for_other_device && !told.empty() && !told_.empty() && told != told_;
  if (child_ && (old() || other_device)) child_->reap(false), child_.reset();
  if (!child_) told_.clear();
  if (!told.empty()) told_ = told;
  line_ = p.line;
  limit_ = limit_of(p, options_);
  auto started = start();
  if (!started) line_.reset();
  return started;
}

// Hands the line to the process, a new one where there is none.
Result<void> OneWorker::start() {
  if (!child_) {
    auto child = Child::spawn(words_of(options_), options_.executable);
    if (!child) return std::unexpected(child.error());
    child_ = std::move(*child);
    answered_ = 0;
  }
  started_ = std::chrono::steady_clock::now();
  child_->send(*line_);  // a failure shows as its death
  return {};
}

std::optional<Verdict> OneWorker::answer() {
  if (!child_) return std::nullopt;
  child_->read_stderr();
  const bool alive = child_->read_stdout();
  std::optional<Verdict> out;
  said_.clear();
  auto text = child_->next_line();
  if (text && *text == kRetires) {
    // It has not read the line that was sent meanwhile.
    child_->reap(false);
    child_.reset();
    if (!line_) return std::nullopt;
    if (auto started = start(); !started) out = verdict(HarnessError{started.error().text});
  } else if (text && line_) {
    ++answered_;
    auto v = verdict_from_text(*text);
    if (v && v->line == *line_) {
      out = std::move(*v);
      said_ = std::move(*text);
    } else {
      // Whoever answers what was not asked may have more of it: later answers could not be trusted.
      out = verdict(
          HarnessError{v ? "the worker answered another line: " + v->line : v.error().text});
      child_->reap(true);
      child_.reset();
    }
  } else if (!alive) {
    const Death d = child_->reap(false);
    child_.reset();
    if (line_) out = crash(d);
  } else if (line_ && limit_ > 0 && seconds() > limit_) {
    const std::string place = child_->place();
    out = verdict(Timeout{seconds(), 0,
                          fmt::format("over the limit of {:.6g} s ({}); its worker was killed{}",
                                      limit_, options_.timeout ? "--timeout" : kOwnLimit,
                                      place.empty() ? "" : " in " + printable_utf8(place))});
    child_->reap(true);
    child_.reset();
  }
  if (out) line_.reset();
  return out;
}

void OneWorker::watch(std::vector<pollfd>& fds) const {
  if (!child_) return;
  fds.push_back({child_->out_fd(), POLLIN, 0});
  fds.push_back({child_->err_fd(), POLLIN, 0});
}

Verdict OneWorker::crash(const Death& d) const {
  std::string tail = printable_utf8(d.stderr_tail);
  if (d.signal == 0) tail = fmt::format("the worker exited with status {}\n{}", d.status, tail);
  return verdict(Crash{d.signal, std::move(tail), printable_utf8(d.place)});
}

Verdict OneWorker::verdict(Outcome o) const {
  Provenance ran;
  ran.build_id = build_id();
  ran.seconds = seconds();
  return make_verdict(*line_, {std::move(o)}, std::move(ran));
}

double OneWorker::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

}  // namespace w4
