#include <fmt/format.h>

#include "campaign/commands.h"
#include "campaign/execute.h"
#include "campaign/interrupt.h"
#include "campaign/outputs.h"
#include "results/text.h"

namespace w4 {

int rerun_command(const RerunCommand& c) {
  constexpr size_t kLongest = 4096;  // as in a file of cases
  if (c.line.size() > kLongest) {
    return usage_error(fmt::format("rerun: the line has {} characters; legal: at most {}",
                                   c.line.size(), kLongest));
  }
  const Result<Case> parsed = parse_case(c.line);
  if (!parsed) return usage_error(printable_utf8("rerun: " + parsed.error().text));
  if (auto ok = check_runnable(*parsed); !ok) {
    return usage_error(printable_utf8("rerun: " + ok.error().text));
  }
  const PlannedCase planned{"rerun", *parsed, to_string(*parsed)};
  std::optional<Verdict> verdict;
  const Watcher watcher{[&](const PlannedCase&, Verdict v) {
                          verdict = std::move(v);
                          return true;
                        },
                        [] {}, [] { return interrupted(); }};
  catch_interrupts();
  const Result<void> ran =
      execute({&planned, 1}, {1, c.timeout, threads_of_a_case(c.threads, 1)}, watcher);
  if (!ran) {
    fmt::print(stderr, "w4check: harness error: {}\n", ran.error().text);
    return kHarnessError;
  }
  if (!verdict) return kInterrupted;
  fmt::print(c.json == "-" ? stderr : stdout, "{}\n", to_string(*verdict));
  if (!c.json.empty()) {
    RunCommand only_json;
    only_json.json = c.json;
    auto outputs = Outputs::open(only_json, 1);
    if (!outputs) return usage_error(outputs.error().text);
    const auto kept =
        outputs->add({"rerun", parsed->kernel, parsed->device, *verdict, false}, false);
    if (!kept) {
      fmt::print(stderr, "w4check: {}\n", kept.error().text);
      return kHarnessError;
    }
  }
  if (verdict->kind() == VerdictKind::harness_error) return kHarnessError;
  return verdict->green() ? kGreen : kRed;
}

}  // namespace w4
