#include "campaign/diff/pair.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/interrupt.h"

namespace w4::diff {
namespace {

constexpr int kPollMs = 100;
// Host code alone is asked: what takes longer hangs. Preparation of a large layer takes its time.
constexpr double kAskSeconds = 5, kWeightsASecond = 1e7;
// A launch on the emulator.
constexpr double kRunSeconds = 120;
constexpr int kMostLost = 20, kOfAHang = 7;

}  // namespace

Pair::Pair(Home a, Home b, double seconds)
    : sides_{Questioner(std::move(a)), Questioner(std::move(b))},
      end_(Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

bool Pair::over() const { return !trouble_.empty() || interrupted() || Clock::now() >= end_; }

std::optional<std::array<Reply, 2>> Pair::both(const nlohmann::json& question, double seconds) {
  if (over()) return std::nullopt;
  for (Questioner& q : sides_) {
    if (const auto asked = q.ask(question, seconds); !asked) {
      trouble_ = asked.error().text;
      return std::nullopt;
    }
  }
  std::array<std::optional<Reply>, 2> replies;
  while (!replies[kA] || !replies[kB]) {
    if (over()) {
      for (Questioner& q : sides_) q.stop();
      return std::nullopt;
    }
    std::vector<pollfd> fds;
    for (const Questioner& q : sides_) q.watch(fds);
    ::poll(fds.data(), fds.size(), kPollMs);
    for (const Side s : {kA, kB}) {
      if (!replies.at(s)) replies.at(s) = sides_.at(s).reply();
    }
  }
  return std::array{std::move(*replies[kA]), std::move(*replies[kB])};
}

std::optional<std::array<Reply, 2>> Pair::both(const char* what, const Case& c) {
  const std::string_view kind = what;
  const auto weights = static_cast<double>(weight_rows(c.problem)) *
                       static_cast<double>(std::max<int64_t>(c.problem.k, 0));
  const double seconds = kind == "route" ? kAskSeconds
                         : kind == "ask"
                             ? kAskSeconds + std::min(weights / kWeightsASecond, kRunSeconds)
                             : kRunSeconds;
  auto r = both({{"what", what}, {"line", to_string(c)}}, seconds);
  if (!r) return r;
  for (const Reply& reply : *r) {
    if (reply.native) lost_[c.kernel] += reply.trouble == "timeout" ? kOfAHang : 1;
  }
  return r;
}

bool Pair::gave_up(const std::string& kernel) const {
  const auto at = lost_.find(kernel);
  return at != lost_.end() && at->second > kMostLost;
}

std::string Pair::rerun(Side side, Case c) const {
  c.module = sides_.at(side).module();
  return fmt::format("w4check rerun '{}'", to_string(c));
}

}  // namespace w4::diff
