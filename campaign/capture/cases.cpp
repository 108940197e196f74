#include "campaign/capture/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/gpu.h"
#include "kernels/objects.h"
#include "verify/cases/row_cases.h"
#include "verify/run_case.h"

namespace w4::capture {
namespace {

// "pass", "pass, outputs 0123456789abcdef".
std::string text_of(const CaseRecord& r) {
  return r.outputs.empty() ? r.verdict : fmt::format("{}, outputs {}", r.verdict, r.outputs);
}

}  // namespace

Case capture_case(std::string_view arch, int64_t number) {
  const auto rows = generated_rows();
  const std::array<std::string_view, 1> archs{arch};
  const CaseLimits limits{.n = 32, .k = 512, .large = false, .devices = archs};
  NumberedChooser choose(kCaseSeed, number);
  Case c = choose_case(choose, limits, rows[static_cast<size_t>(number) % rows.size()]);
  c.device = arch, c.fp = "auto", c.sched = {}, c.law = Law::reference;
  if (const GpuModel* gpu = find_gpu(arch); gpu != nullptr && !c.problem.cus)
    c.problem.cus = gpu->wgps;
  return c;
}

bool has_kernels(std::string_view arch) {
  for (const char* const* a = kernel_archs(); *a != nullptr; ++a)
    if (arch == *a) return true;
  return false;
}

CaseRecord record_case(const Case& c, const std::string& device, Context& context) {
  Case run = c;
  run.device = device;
  const Verdict v = run_case(run, context);
  const bool wrote = v.kind() == VerdictKind::pass || v.kind() == VerdictKind::mistrusted ||
                     v.kind() == VerdictKind::mismatch;
  return {to_string(c), std::string(name_of(v.kind())), wrote ? v.ran.outputs : std::string()};
}

Replayed replay_cases(const Capture& c, Context& context,
                      const std::function<bool(size_t done, size_t of)>& step) {
  Replayed out;
  out.probe = out.instruction = "cases";
  if (c.cases.empty()) return out;
  if (!has_kernels(c.arch)) {
    out.left_out = fmt::format("this build has no kernels for {}", c.arch);
    return out;
  }
  context.witness_outputs();
  for (size_t i = 0; i < c.cases.size() && step(i, c.cases.size()); ++i) {
    const CaseRecord& r = c.cases[i];
    CaseRecord got{.line = r.line, .verdict = "not a case of this w4check", .outputs = {}};
    if (const auto parsed = parse_case(r.line); parsed) got = record_case(*parsed, c.arch, context);
    ++out.values;
    if (got.verdict == r.verdict && got.outputs == r.outputs) continue;
    ++out.differing;
    if (out.differences.size() < kShown) {
      out.differences.push_back({.probe = "cases",
                                 .instruction = "case",
                                 .form = {},
                                 .operands = r.line,
                                 .expected = text_of(r),
                                 .got = text_of(got)});
    }
  }
  return out;
}

}  // namespace w4::capture
