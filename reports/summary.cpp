#include "reports/summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace w4 {
namespace {

void add(Tally& t, const Verdict& v) {
  ++t.by_kind.at(static_cast<size_t>(v.kind()));
  if (v.green()) {
    ++t.green;
  } else if (v.kind() == VerdictKind::skipped) {
    ++t.skipped;
  } else {
    ++t.red;
  }
  if (const auto* pass = std::get_if<Pass>(&v.primary())) {
    t.headroom = std::max(t.headroom, pass->headroom);
  }
}

}  // namespace

void count(Summary& summary, const Record& record) {
  const Verdict& v = record.verdict;
  add(summary.all, v);
  add(summary.table[{record.kernel, record.device}], v);
  if (const auto* skipped = std::get_if<Skipped>(&v.primary())) {
    const std::string detail = skipped->detail.empty() ? "" : ": " + skipped->detail;
    const std::string reason = std::string(name_of(skipped->reason)) + detail;
    // Some reasons name a number of their case: of a large run not all of them are kept.
    constexpr size_t kMostReasons = 200;
    const bool kept = summary.skipped.size() < kMostReasons || summary.skipped.contains(reason);
    ++summary.skipped[kept ? reason : "other reasons"];
  }
  summary.resumed += record.resumed ? 1 : 0;
  summary.seconds += v.ran.seconds;
  summary.wave_instructions += v.ran.wave_instructions;
}

Summary summarise(std::span<const Record> records) {
  Summary out;
  for (const Record& r : records) count(out, r);
  return out;
}

std::string sentence(const Tally& t) {
  const int64_t passes = t.of(VerdictKind::pass);
  const int64_t refusals = t.green - passes;
  std::string out = fmt::format("{} green ({} pass", t.green, passes);
  if (refusals > 0) out += fmt::format(", {} refused as they must be", refusals);
  out += fmt::format("), {} red", t.red);
  std::string kinds;
  for (size_t i = 0; i < t.by_kind.size(); ++i) {
    const auto kind = static_cast<VerdictKind>(i);
    int64_t n = t.by_kind.at(i);
    if (kind == VerdictKind::pass || kind == VerdictKind::skipped) n = 0;
    if (kind == VerdictKind::refused) n -= refusals;
    if (n > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", n, name_of(kind));
  }
  if (!kinds.empty()) out += fmt::format(" ({})", kinds);
  if (t.skipped > 0) out += fmt::format(", {} skipped", t.skipped);
  return out;
}

}  // namespace w4
