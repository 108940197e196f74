#include <fmt/ranges.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "campaign/commands.h"
#include "campaign/coverage_json.h"
#include "campaign/coverage_text.h"
#include "campaign/interrupt.h"
#include "campaign/outputs.h"
#include "campaign/plan.h"
#include "campaign/report/filing.h"
#include "campaign/runner.h"
#include "results/text.h"

namespace w4 {
namespace {

struct CloseFile {
  void operator()(FILE* f) const {
    if (f != stdout) std::fclose(f);
  }
};

// What was asked, as the report names it: "suite smoke, on gfx1151, kernels small".
std::string asked(const ListCommand& c) {
  std::vector<std::string> parts;
  for (const std::string& s : c.plan.suites) parts.push_back("suite " + s);
  for (const std::string& f : c.plan.files) parts.push_back("cases of " + f);
  if (!c.plan.lines.empty()) parts.push_back(fmt::format("{} given cases", c.plan.lines.size()));
  if (!c.plan.devices.empty())
    parts.push_back(fmt::format("on {}", fmt::join(c.plan.devices, ", ")));
  if (!c.kernel.empty()) parts.push_back("kernels " + c.kernel);
  return printable_utf8(fmt::format("{}", fmt::join(parts, ", ")));
}

}  // namespace

// Runs the plan in this process, as the counts live here.
int list_coverage(const ListCommand& c) {
  std::regex names;
  try {
    names = std::regex(c.kernel);
  } catch (const std::regex_error& e) {
    return usage_error(printable_utf8(
        fmt::format("--kernel: '{}' is no regular expression: {}", c.kernel, e.what())));
  }
  const auto plan = make_plan(c.plan);
  if (!plan) return usage_error(printable_utf8(plan.error().text));
  // Before anything runs, so that a wrong path costs nothing.
  if (const auto apart = not_the_store("--out", c.out, c.db); !apart)
    return usage_error(printable_utf8(apart.error().text));
  auto filing = Filing::open(c.db, "");
  if (!filing) return usage_error(printable_utf8(filing.error().text));
  const std::unique_ptr<FILE, CloseFile> out(c.out.empty() ? stdout
                                                           : std::fopen(c.out.c_str(), "we"));
  if (!out) {
    return usage_error(
        printable_utf8(fmt::format("--out: cannot write '{}': {}", c.out, std::strerror(errno))));
  }
  rdna::Coverage coverage;
  const rdna::CoverageScope counting(coverage);
  Runner runner(1);  // the counts are of this thread
  catch_interrupts();
  size_t ran = 0, red = 0;
  bool harness = false;
  for (const PlannedCase& p : *plan) {
    if (interrupted()) break;
    const Verdict v = runner.run(p.value);
    ++ran;
    if (v.green()) continue;
    harness |= v.kind() == VerdictKind::harness_error;
    if (red++ == 0) fmt::print(stderr, "{}\n", to_string(v));
  }
  const std::string text = coverage_text(coverage, names);
  fmt::print(out.get(), "coverage by {} of {} cases, {} not green\n{}", ran, plan->size(), red,
             text);
  if (std::fflush(out.get()) != 0) {
    fmt::print(stderr, "w4check: --out: cannot write '{}': {}\n", c.out, std::strerror(errno));
    return kHarnessError;
  }
  if (text.empty()) {
    return usage_error(
        printable_utf8(fmt::format("--kernel: no kernel that ran has a match of '{}'", c.kernel)));
  }
  if (ran < plan->size()) {
    filing->leave_out("coverage");
  } else if (!filing->file("coverage", asked(c),
                           coverage_json(coverage, names,
                                         {.cases = static_cast<int64_t>(ran),
                                          .red = static_cast<int64_t>(red)})
                               .dump())) {
    return kHarnessError;
  }
  if (harness) return kHarnessError;
  if (red != 0) return kRed;
  return ran < plan->size() ? kInterrupted : kGreen;
}

}  // namespace w4
