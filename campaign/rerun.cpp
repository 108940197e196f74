#include <fmt/format.h>

#include <algorithm>

#include "campaign/commands.h"
#include "campaign/execute.h"
#include "campaign/idle_keys.h"
#include "campaign/interrupt.h"
#include "campaign/outputs.h"
#include "campaign/rerun_interval.h"
#include "results/text.h"

namespace w4 {
namespace {

struct HasTrace {
  bool operator()(const Found& f) const {
    return std::ranges::any_of(f.findings, [](const Finding& x) { return !x.trace.empty(); });
  }
  bool operator()(const Unsupported& u) const { return !u.trace.empty(); }
  bool operator()(const Timeout& t) const { return !t.trace.empty(); }
  bool operator()(const auto&) const { return false; }
};

bool has_trace(const Verdict& v) {
  return std::ranges::any_of(v.outcomes,
                             [](const Outcome& o) { return std::visit(HasTrace{}, o); });
}

}  // namespace

int rerun_command(const RerunCommand& c) {
  const Result<Case> parsed = read_typed_line("rerun", c.line);
  if (!parsed) return usage_error(parsed.error().text);
  if (c.trace && is_native_device(parsed->device)) {
    return usage_error(
        fmt::format("--trace: device={} has no instructions to trace; legal: an emulated device",
                    parsed->device));
  }
  std::optional<Element> element;
  if (c.interval) {
    const auto read = parse_element(*c.interval);
    if (!read) return usage_error(printable_utf8(read.error().text));
    element = *read;
    if (const auto outside = check_element(*parsed, element); !outside) {
      return usage_error(outside.error().text);
    }
  }
  for (const std::string& idle : idle_keys(*parsed))
    fmt::print(stderr, "w4check: note: {}\n", idle);
  const PlannedCase planned{"rerun", *parsed, to_string(*parsed)};
  std::optional<Verdict> verdict;
  const Watcher watcher{[&](const PlannedCase&, Verdict v) {
                          verdict = std::move(v);
                          return true;
                        },
                        [] {}, [] { return interrupted(); }};
  catch_interrupts();
  const Result<void> ran =
      execute({&planned, 1}, {1, c.timeout, threads_of_a_case(c.threads, 1), c.trace}, watcher);
  if (!ran) {
    fmt::print(stderr, "w4check: harness error: {}\n", ran.error().text);
    return kHarnessError;
  }
  if (!verdict) return kInterrupted;
  FILE* people = c.json == "-" ? stderr : stdout;
  fmt::print(people, "{}\n", to_string(*verdict));
  if (c.trace && !has_trace(*verdict)) {
    fmt::print(
        people, "  trace: nothing to trace, {}\n",
        verdict->green() ? "the case is green" : "no instruction of a wave led to this verdict");
  }
  if (c.interval) {
    const auto text = interval_text(*parsed, *verdict, element);
    fmt::print(people, "{}", text ? *text : fmt::format("  interval: {}\n", text.error().text));
  }
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
