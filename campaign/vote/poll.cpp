#include "campaign/vote/poll.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "campaign/one_worker.h"
#include "core/gpu.h"
#include "verify/case_interval.h"
#include "verify/cases/row_cases.h"
#include "verify/context.h"

namespace w4::vote {
namespace {

constexpr int kPollMs = 100;
constexpr std::string_view kReports = "gfx1151";  // what every device says of itself

double work_of(const Case& c) {
  const Problem& p = c.problem;
  return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
}

// A worker and the ballot that it is filling.
struct Booth {
  explicit Booth(const ExecuteOptions& options) : worker(options) {}
  OneWorker worker;
  std::optional<Ballot> ballot;
};

class Holding {
 public:
  Holding(const Poll& poll, const ExecuteOptions& options)
      : poll_(poll), tally_(poll.devices), absent_(poll.devices.size()) {
    const auto jobs = static_cast<size_t>(std::max(1, options.jobs));
    for (size_t i = 0; i < jobs; ++i) booths_.emplace_back(options);
  }

  Result<Tally> all() {
    while (!poll_.stop()) {
      bool busy = false;
      for (Booth& b : booths_) {
        if (!b.worker.busy()) {
          if (auto fed = feed(b); !fed) return std::unexpected(fed.error());
        }
        busy = busy || b.worker.busy();
      }
      if (!busy) break;
      wait();
      for (Booth& b : booths_) {
        if (auto v = b.worker.answer()) {
          if (auto heard = hear(b, std::move(*v)); !heard) return std::unexpected(heard.error());
        }
      }
    }
    return std::move(tally_);
  }

 private:
  // The next question of its ballot, or of a new one.
  Result<void> feed(Booth& b) {
    while (true) {
      if (!b.ballot) {
        if (next_ == poll_.cases) return {};
        b.ballot = Ballot{drawn(poll_.seed, next_++, poll_.largest), {}};
      }
      const size_t d = b.ballot->voices.size();
      if (d == poll_.devices.size()) {
        tally_.add(*b.ballot);
        b.ballot.reset();
        if (poll_.progress) poll_.progress(tally_.cases());
        continue;
      }
      Case c = b.ballot->value;
      c.device = poll_.devices[d];
      if (absent_[d]) {
        b.ballot->voices.push_back({make_verdict(to_string(c), {*absent_[d]}, {}), {}});
        continue;
      }
      return b.worker.ask({"vote", c, to_string(c)});
    }
  }

  Result<void> hear(Booth& b, Verdict v) {
    const size_t d = b.ballot->voices.size();
    Voice voice{std::move(v), {}};
    if (const auto* s = std::get_if<Skipped>(&voice.verdict.primary());
        s != nullptr && s->reason == SkipReason::no_device) {
      absent_[d] = *s;
    }
    if (!b.worker.said().empty()) {
      auto bits = bits_in(b.worker.said());
      if (!bits) return std::unexpected(bits.error());
      voice.out = std::move(*bits);
    }
    b.ballot->voices.push_back(std::move(voice));
    return {};
  }

  void wait() {
    std::vector<pollfd> fds;
    for (const Booth& b : booths_) b.worker.watch(fds);
    ::poll(fds.data(), fds.size(), kPollMs);
  }

  const Poll& poll_;
  Tally tally_;
  std::vector<std::optional<Skipped>> absent_;
  std::deque<Booth> booths_;
  int64_t next_ = 0;
};

}  // namespace

Case drawn(uint64_t seed, int64_t number, int64_t largest) {
  const auto rows = generated_rows();
  const std::string_view row = rows[static_cast<size_t>(number) % rows.size()];
  CaseLimits limits;
  Case c;
  // One that is too large gives way to another choice of the same number.
  for (uint64_t again = 0; again < 8; ++again) {
    NumberedChooser choose(seed + (again << 32), number);
    limits.large = largest == 0 || again < 4;
    c = choose_case(choose, limits, row);
    if (largest == 0 || work_of(c) <= static_cast<double>(largest)) break;
  }
  const Reported reported = resolve_reported(c.problem, *find_gpu(kReports));
  c.problem.cus = reported.cus;
  c.problem.lds = reported.lds;
  c.device = kReports;
  c.fp = "auto";
  return c;
}

Result<Tally> hold(const Poll& poll, const ExecuteOptions& options) {
  return Holding(poll, options).all();
}

void measure(Tally& tally) {
  Context context;
  for (PairCount& pair : tally.pairs()) {
    for (Apart& x : pair.farthest) {
      Case c = x.value;
      c.device = kReports;  // the interval of an arithmetic that is modelled
      const int64_t n = std::max<int64_t>(c.problem.n, 1);
      const auto interval = interval_of(c, context, x.difference.at / n, x.difference.at % n);
      if (!interval) continue;
      const double width = interval->legal.high - interval->legal.low;
      const double apart = std::abs(x.first - x.second);
      if (std::isfinite(width) && width > 0 && std::isfinite(apart)) x.share = apart / width;
    }
  }
}

}  // namespace w4::vote
