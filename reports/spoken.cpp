#include "reports/spoken.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <time.h>

#include <algorithm>

namespace w4 {
namespace {

// A run that lives stores something at least this often: no case may take longer (limits of time).
constexpr double kQuietSeconds = 900;

std::string number(int64_t n) { return fmt::format("{}", fmt::group_digits(n)); }

std::string counted(int64_t n, std::string_view one, std::string_view many) {
  return number(n) + " " + std::string(n == 1 ? one : many);
}

// Seconds from one time to another as the store writes them; 0 where one is none.
double seconds_between(const std::string& from, const std::string& to) {
  tm a{}, b{};
  constexpr const char* kFormat = "%Y-%m-%d %H:%M:%S";
  if (strptime(from.c_str(), kFormat, &a) == nullptr) return 0;
  if (strptime(to.c_str(), kFormat, &b) == nullptr) return 0;
  return static_cast<double>(timegm(&b) - timegm(&a));
}

bool campaign(const Standing& s) { return s.run.kind == RunKind::campaign; }

// A campaign's number is of all its shards: its state says whether this one is done.
bool unfinished(const Standing& s) {
  if (s.run.state != RunState::complete || s.lost > 0) return true;
  return !campaign(s) && s.all.total() < s.run.planned;
}

// "120 of 480 cases have", "120 cases have".
std::string how_far(const Standing& s) {
  const bool of = s.run.planned > 0 && !campaign(s);
  return of ? fmt::format("{} of {} have a verdict", number(s.all.total()),
                          counted(s.run.planned, "case", "cases"))
            : counted(s.all.total(), "case has a verdict", "cases have a verdict");
}

std::string go_on(const Standing& s) {
  if (s.run.state == RunState::running &&
      seconds_between(s.run.heartbeat, s.written) < kQuietSeconds) {
    return "It is still running: write the report again when it has finished.";
  }
  const std::string_view how =
      campaign(s) ? "`w4check campaign --resume` with the same --db goes on with it."
                  : "Run the same command again with the same --db: it takes over what is done.";
  if (s.run.state == RunState::running) {
    return fmt::format("It has stored nothing since {} UTC and was probably killed. {}",
                       s.run.heartbeat, how);
  }
  if (s.lost > 0) {
    return fmt::format("{} when a worker or the campaign ended. {}",
                       counted(s.lost, "case was lost", "cases were lost"), how);
  }
  return std::string(how);
}

std::string kernels(const Standing& s) {
  constexpr size_t kNamed = 3;
  const auto& all = s.red_kernels;
  if (all.size() <= kNamed) return fmt::format("{}", fmt::join(all, ", "));
  return fmt::format("{} and {} more", fmt::join(all.begin(), all.begin() + kNamed, ", "),
                     all.size() - kNamed);
}

std::string start_text(const StartWith& f) {
  const std::string& known = f.says.empty() ? f.hypothesis : f.says;
  const std::string said = known.empty() ? "" : ": " + known;
  return fmt::format("Start with failure {} ({} of {} in {}, {}){}. Its line reruns it.", f.failure,
                     f.kind, f.kernel, counted(f.cases, "case", "cases"), f.why, said);
}

Spoken failed(const Standing& s) {
  const int64_t own = s.all.of(VerdictKind::harness_error);
  std::string text = own == s.all.red
                         ? fmt::format("No verdict: w4check itself failed in {} of {}", number(own),
                                       counted(s.all.total(), "case", "cases"))
                         : fmt::format("Not safe to ship: {} of {} failed in {} ({})",
                                       number(s.all.red), counted(s.all.total(), "case", "cases"),
                                       counted(s.failures, "way", "different ways"), kernels(s));
  if (unfinished(s)) text += fmt::format("; not finished: {}", how_far(s));
  std::string advice = s.start ? start_text(*s.start) : "The page Failures has their lines.";
  if (unfinished(s)) advice += " " + go_on(s);
  return {"failed", std::move(text), std::move(advice)};
}

Spoken flaky(const Standing& s) {
  std::string advice =
      "Run this line several times and find out what differs before anything else: until then a "
      "green verdict proves nothing.";
  if (s.flaky > 1) advice += " The other lines are listed below.";
  if (unfinished(s)) advice += " " + go_on(s);
  return {"flaky",
          fmt::format("Not safe to ship: {} judged differently by one build",
                      counted(s.flaky, "line was", "lines were")),
          std::move(advice)};
}

}  // namespace

Spoken speak(const Standing& s) {
  if (s.all.red > 0) return failed(s);
  if (s.flaky > 0) return flaky(s);
  if (unfinished(s)) {
    return {"unfinished",
            fmt::format("Not finished: {}{}", how_far(s),
                        s.all.green > 0 ? ", none of them failed" : ""),
            go_on(s)};
  }
  if (s.all.green == 0) {
    return {"nothing", "Nothing was verified",
            s.all.skipped > 0
                ? fmt::format("Every case was skipped. Most frequent reason: {}.", s.skipped_most)
                : "No case ran: see the command on the page Run."};
  }
  // What a kernel does not declare to do is no gap of this run; all else that is skipped is.
  if (s.all.skipped > s.not_declared) {
    return {
        "partly",
        fmt::format("Verified in part: {} right, but {} skipped",
                    counted(s.all.green, "case is", "cases are"),
                    counted(s.all.skipped, "was", "were")),
        fmt::format("What was skipped is not known to work. Most frequent reason: {}; the others "
                    "are below.",
                    s.skipped_most)};
  }
  return {"good",
          fmt::format(
              "Safe to ship as far as these cases go: {} right{}",
              s.all.green == 1 ? "the one case is" : fmt::format("all {} are", number(s.all.green)),
              s.not_declared == 0 ? ""
                                  : fmt::format(" ({} more ask for what the kernel does not "
                                                "declare)",
                                                number(s.not_declared))),
          s.next_is_new.empty()
              ? "See on the page Coverage whether they include what you ship."
              : fmt::format("See on the page Coverage whether they include what you ship; {}.",
                            s.next_is_new)};
}

}  // namespace w4
