#include "campaign/shrink.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "campaign/commands.h"
#include "campaign/execute.h"
#include "campaign/interrupt.h"
#include "campaign/judge.h"
#include "campaign/plan.h"
#include "results/text.h"
#include "verify/shrink/shrink.h"

namespace w4 {
namespace {

constexpr double kTerminalEvery = 0.1, kPlainEvery = 5;  // seconds

// How small the line is: one line that rewrites itself on a terminal, a plain one now and then
// elsewhere.
class Watch {
 public:
  bool operator()(const ShrinkState& s) {
    if (interrupted()) return false;
    if (s.seconds - shown_ < (terminal_ ? kTerminalEvery : kPlainEvery)) return true;
    shown_ = s.seconds;
    const std::string text = fmt::format("{} cases, {:.0f} s: {}", s.cases, s.seconds,
                                         printable_utf8(to_string(s.smallest)));
    if (terminal_) {
      fmt::print(stderr, "\r\x1b[K{:.120}", text);
    } else {
      fmt::print(stderr, "w4check: {}\n", text);
    }
    std::fflush(stderr);
    drawn_ = terminal_;
    return true;
  }
  void clear() const {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  bool drawn_ = false;
  double shown_ = 0;
};

std::string why_it_ended(const Shrunk& s, const ShrinkCommand& c) {
  switch (s.end) {
    case Shrunk::End::minimal:
    case Shrunk::End::green:
      return "no step makes it smaller";
    case Shrunk::End::out_of_cases:
      return fmt::format("stopped by --cases {}", c.cases);
    case Shrunk::End::out_of_time:
      return fmt::format("stopped by --seconds {}", c.seconds);
    case Shrunk::End::stopped:
      break;
  }
  return "interrupted";
}

std::optional<std::string> wrong_value(const ShrinkCommand& c) {
  if (c.cases < 1) return fmt::format("--cases: {}; legal: at least 1", c.cases);
  for (const auto& [option, seconds] :
       {std::pair{"--seconds", c.seconds}, {"--timeout", c.timeout.value_or(0)}}) {
    if (!(seconds >= 0) || seconds > 1e6) {
      return fmt::format("{}: {}; legal: 0 (none) to 1000000 seconds", option, seconds);
    }
  }
  if (c.threads && (*c.threads < 1 || *c.threads > 64)) {
    return fmt::format("--threads: {}; legal: 1 to 64", *c.threads);
  }
  return std::nullopt;
}

}  // namespace

void add_shrink(CLI::App& app, ShrinkCommand& c) {
  CLI::App* shrink = app.add_subcommand(
      "shrink",
      "Make a failing case line smaller while it fails alike: shape first, then data (`only=`), "
      "then schedule; prints the smaller line, then its verdict");
  shrink->add_option("line", c.words, "The case line, as one argument or as several")
      ->option_text("LINE")
      ->required();
  shrink->add_option("--seconds", c.seconds, "Start no case after this time (default 120; 0: none)")
      ->option_text("SECONDS");
  shrink
      ->add_option("--cases", c.cases,
                   "Run at most so many cases (default 2000); where this is what ends the search, "
                   "the result is the same on every machine")
      ->option_text("N");
  shrink
      ->add_option("--timeout", c.timeout,
                   fmt::format("Seconds before one case is killed (default: {}); what is over it "
                               "fails alike only where the first case was",
                               kDefaultLimit))
      ->option_text("SECONDS");
  shrink
      ->add_option("--threads", c.threads,
                   "Threads that a large launch may use, 1 to 64 (default: the machine's, 16 at "
                   "most)")
      ->option_text("N");
  shrink->footer(
      "The kind of the verdict stays, and what names it: the kind of finding, the law, the clause, "
      "the signal.\n"
      "Exit codes: 0 a line is printed, also where a limit ended the search; 2 usage, also where "
      "there is nothing to shrink because the case is green or skipped; 3 harness error, also "
      "where that is what was shrunk; 130 "
      "interrupted, the smallest line so far is printed.");
}

int shrink_command(const ShrinkCommand& c) {
  if (const auto wrong = wrong_value(c)) return usage_error(*wrong);
  const Result<Case> parsed = read_typed_line("shrink", fmt::format("{}", fmt::join(c.words, " ")));
  if (!parsed) return usage_error(parsed.error().text);
  catch_interrupts();
  Judge judge({1, c.timeout, threads_of_a_case(c.threads, 1), false});
  Watch watch;
  const Shrunk s = shrink(*parsed, std::ref(judge), {c.cases, c.seconds}, std::ref(watch));
  watch.clear();
  if (s.end == Shrunk::End::green && !interrupted()) {
    return usage_error(
        printable_utf8("shrink: nothing to shrink: " + to_string(s.verdict.primary())));
  }
  if (s.verdict.kind() == VerdictKind::skipped) return kInterrupted;
  fmt::print("{}\n{}\n  shrunk from: {}\n  {} cases, {:.1f} s: {}\n", to_string(s.smallest),
             to_string(s.verdict), to_string(*parsed), s.cases, s.seconds, why_it_ended(s, c));
  if (s.verdict.kind() == VerdictKind::harness_error) return kHarnessError;
  return s.end == Shrunk::End::stopped ? kInterrupted : kGreen;
}

}  // namespace w4
