#include "campaign/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace w4 {
namespace {

constexpr double kTerminalEvery = 0.1, kPlainEvery = 5;  // seconds
constexpr int kBar = 24;

std::string duration(double seconds) {
  const auto s = static_cast<int64_t>(std::ceil(std::min(seconds, 1e9)));
  if (s < 120) return fmt::format("{} s", s);
  return fmt::format("{} min {} s", s / 60, s % 60);
}

}  // namespace

Progress::Progress(FILE* to, int64_t total_cases, double total_cost, const char* what)
    : to_(to),
      terminal_(isatty(fileno(to)) == 1),
      total_cases_(total_cases),
      total_cost_(total_cost),
      what_(what) {}

void Progress::advance(double cost, bool green) {
  ++cases_;
  cost_ += cost;
  red_ += green ? 0 : 1;
}

std::string Progress::text(double elapsed) const {
  const double part = total_cost_ > 0 ? std::min(cost_ / total_cost_, 1.0) : 0;
  std::string out =
      fmt::format("{}/{} {}, {:.0f} %", cases_, total_cases_, what_, std::floor(part * 100));
  if (elapsed > 0.05 && cases_ > 0) {
    const double rate = static_cast<double>(cases_) / elapsed;
    out += fmt::format(", {:.{}f} {}/s", rate, rate < 10 ? 1 : 0, what_);
    if (part > 0) out += fmt::format(", about {} left", duration(elapsed * (1 - part) / part));
  }
  if (red_ > 0) out += fmt::format(", {} red", red_);
  return out;
}

void Progress::show() {
  const auto now = Clock::now();
  const double every = terminal_ ? kTerminalEvery : kPlainEvery;
  if (std::chrono::duration<double>(now - shown_).count() < every) return;
  shown_ = now;
  const std::string line = text(std::chrono::duration<double>(now - start_).count());
  if (!terminal_) {
    fmt::print(to_, "w4check: {}\n", line);
  } else {
    const double part = total_cost_ > 0 ? std::min(cost_ / total_cost_, 1.0) : 0;
    const int filled = static_cast<int>(part * kBar);
    fmt::print(to_, "\r\x1b[K[{:=<{}}{: <{}}] {}", "", filled, "", kBar - filled, line);
    drawn_ = true;
  }
  std::fflush(to_);
}

void Progress::clear() {
  if (!drawn_) return;
  fmt::print(to_, "\r\x1b[K");
  std::fflush(to_);
  drawn_ = false;
}

}  // namespace w4
