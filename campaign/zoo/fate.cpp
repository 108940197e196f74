#include "campaign/zoo/fate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "core/gpu.h"

namespace w4::zoo {

std::string_view name_of(Fate f) {
  switch (f) {
    case Fate::killed:
      return "killed";
    case Fate::survives:
      return "survives";
    case Fate::silent:
      return "silent";
    case Fate::skipped:
      return "skipped";
    case Fate::stale:
      return "stale";
  }
  return "survives";
}

Ended fate_of(const Row& row, std::string_view device) {
  if (!row.stale.empty()) return {Fate::stale, row.stale};
  if (row.hunted.killed()) return {Fate::killed};
  int64_t cases = 0, skipped = 0;
  std::string reason;
  for (const Hunted::Run& run : row.hunted.runs) {
    cases += run.cases, skipped += run.skipped;
    if (reason.empty()) reason = run.skip;
  }
  if (skipped > 0 && skipped == cases) return {Fate::skipped, reason};
  if (!is_native_device(device)) return {Fate::survives};
  const bool only_findings = std::ranges::all_of(
      row.expect.verdicts, [](VerdictKind k) { return k == VerdictKind::finding; });
  if (!row.expect.findings.empty() && only_findings) {
    std::vector<std::string_view> names;
    for (const FindingKind k : row.expect.findings) names.push_back(name_of(k));
    return {Fate::silent, fmt::format("needs the emulator's checks: {}", fmt::join(names, ", "))};
  }
  if (row.expect.verdicts.empty() && row.expect.audit) return {Fate::silent, "needs the audits"};
  return {Fate::survives};
}

}  // namespace w4::zoo
