#include <fmt/format.h>

#include <set>

#include "reference/compare.h"

namespace w4 {
namespace {

std::string join(const std::set<int64_t>& values) {
  std::string out;
  for (int64_t v : values) out += (out.empty() ? "" : ",") + std::to_string(v);
  return out;
}

// Ranges of consecutive columns, at most four of them spelled out.
std::string ranges(const std::set<int64_t>& columns) {
  std::string out;
  int shown = 0;
  for (auto it = columns.begin(); it != columns.end();) {
    const int64_t first = *it;
    int64_t last = first;
    while (++it != columns.end() && *it == last + 1) last = *it;
    if (++shown > 4) return out + ", …";
    out += out.empty() ? "" : ", ";
    out += first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last);
  }
  return out;
}

// The smallest period whose residues leave at least half out, e.g. "n mod 8 in {3}".
std::string residues(const std::set<int64_t>& columns, int64_t n) {
  for (int64_t period : {8, 16, 32}) {
    if (n < 2 * period) break;
    std::set<int64_t> seen;
    for (int64_t c : columns) seen.insert(c % period);
    // One column alone has one residue and says nothing.
    if (static_cast<int64_t>(seen.size()) * 2 <= period && seen.size() * 2 <= columns.size()) {
      return fmt::format(" (n mod {} in {{{}}})", period, join(seen));
    }
  }
  return "";
}

}  // namespace

std::string describe_pattern(std::span<const int64_t> bad, int64_t m, int64_t n) {
  if (bad.empty()) return "";
  std::set<int64_t> rows, columns;
  for (int64_t i : bad) {
    rows.insert(i / n);
    columns.insert(i % n);
  }
  const auto all = [](const std::set<int64_t>& s, int64_t size) {
    return static_cast<int64_t>(s.size()) == size;
  };
  std::string out = all(rows, m) ? (m == 1 ? "the only row" : "every row")
                                 : fmt::format("rows m={} of {}", join(rows), m);
  out += all(columns, n) ? ", every column"
                         : fmt::format(", {} of {} columns: {}{}", columns.size(), n,
                                       ranges(columns), residues(columns, n));
  if (rows.size() * columns.size() != bad.size()) out += ", not all of their crossings";
  return out;
}

}  // namespace w4
