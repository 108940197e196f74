#include <fmt/format.h>

#include <array>

#include "verify/explain/explain.h"

namespace w4::explain {

std::string_view name_of(Certainty c) {
  constexpr std::array<std::string_view, 7> kNames{"nothing",  "stated",  "exact", "within",
                                                   "affected", "several", "none"};
  return kNames.at(static_cast<size_t>(c));
}

std::string to_string(const Explanation& e) {
  std::string out = fmt::format("explanation: {}\n", e.says);
  constexpr size_t kShown = 6;
  for (size_t i = 0; i < e.named.size(); ++i) {
    const Named& n = e.named[i];
    out += fmt::format("  {}: {} (seen as {}): {}\n", i == 0 ? "hypothesis" : "or", n.name,
                       n.defects, n.says);
    for (size_t j = 0; j < n.also.size() && j < kShown; ++j)
      out += fmt::format("    which is the same here as: {}\n", n.also[j]);
  }
  for (const std::string& s : e.pattern) out += fmt::format("  pattern: {}\n", s);
  if (!e.interval.empty()) {
    out += fmt::format("  what the interval of out[m={}, n={}] is made of:\n{}\n",
                       std::get<Mismatch>(e.verdict.primary()).worst.m,
                       std::get<Mismatch>(e.verdict.primary()).worst.n, e.interval);
  }
  if (e.certainty != Certainty::nothing && e.certainty != Certainty::stated)
    out += fmt::format("  sure: {}{}{}\n", name_of(e.certainty), e.how.empty() ? "" : ", ", e.how);
  for (size_t i = 0; i < e.lines.size() && e.lines.size() > 1; ++i) {
    if (i == kShown) {
      out += fmt::format("  ran: and {} more lines\n", e.lines.size() - kShown);
      break;
    }
    out += fmt::format("  ran: w4check rerun '{}'\n", e.lines[i]);
  }
  return out;
}

}  // namespace w4::explain
