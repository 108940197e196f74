#include "campaign/long_run/ticker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace w4 {
namespace {

constexpr double kTerminalEvery = 0.5, kPlainEvery = 30;  // seconds

}  // namespace

std::string time_text(double seconds) {
  const auto s = static_cast<int64_t>(std::floor(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s / 60 % 60);
}

Ticker::Ticker(const CampaignPlan& plan, double spent)
    : plan_(plan), spent_(spent), terminal_(isatty(STDERR_FILENO) == 1) {}

void Ticker::count(bool red, bool showed_new) {
  ++cases_;
  red_ += red ? 1 : 0;
  if (showed_new) new_ = Clock::now();
}

std::string Ticker::text(double seconds) const {
  const double here = seconds - spent_;
  std::string out = fmt::format("{} cases", cases_);
  if (here > 1) out += fmt::format(", {:.0f}/s", static_cast<double>(cases_) / here);
  out += fmt::format(", {} red, {}", red_, time_text(seconds));
  if (plan_.seconds > 0) out += " of " + time_text(plan_.seconds);
  const double quiet = std::chrono::duration<double>(Clock::now() - new_).count();
  return out + fmt::format(", something new {} ago", time_text(quiet));
}

void Ticker::show(double seconds) {
  const auto now = Clock::now();
  const double every = terminal_ ? kTerminalEvery : kPlainEvery;
  if (std::chrono::duration<double>(now - shown_).count() < every) return;
  shown_ = now;
  if (terminal_) {
    fmt::print(stderr, "\r\x1b[K{}", text(seconds));
    drawn_ = true;
  } else {
    fmt::print(stderr, "w4check: {}\n", text(seconds));
  }
  std::fflush(stderr);
}

void Ticker::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace w4
