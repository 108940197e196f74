#include "campaign/judge.h"

#include <poll.h>

#include <vector>

#include "campaign/interrupt.h"
#include "campaign/plan.h"

namespace w4 {

Verdict Judge::operator()(const Case& c) {
  const PlannedCase planned{"", c, to_string(c)};
  if (!needs_workers({&planned, 1}, options_)) return runner_.run(c);
  if (auto asked = worker_.ask(planned); !asked)
    return make_verdict(planned.line, {HarnessError{asked.error().text}}, {});
  for (;;) {
    std::vector<pollfd> fds;
    worker_.watch(fds);
    constexpr int kPollMs = 100;
    ::poll(fds.data(), fds.size(), kPollMs);
    if (auto v = worker_.answer()) return std::move(*v);
    // No failure of the case: who asks ends before the next one.
    if (interrupted())
      return make_verdict(planned.line, {Skipped{SkipReason::interrupted, ""}}, {});
  }
}

}  // namespace w4
