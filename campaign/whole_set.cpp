#include "campaign/whole_set.h"

#include <fmt/format.h>

#include <algorithm>

namespace w4 {
namespace {

// How often the suite showed what it has floors of, a line a class.
std::string counts_of(const Suite& suite, const Coverage& c) {
  std::string out = fmt::format("{} showed in {} cases", suite.name, c.cases());
  std::map<std::string, std::string> lines;  // of a class
  for (const Coverage::Floor& f : suite.floors()) {
    lines[f.name] += fmt::format(" {}={}", f.value, c.of(f.name, f.value));
  }
  for (const auto& [what, values] : lines) out += fmt::format("\n  {}:{}", what, values);
  return out;
}

}  // namespace

void WholeSet::add(const Record& record) {
  const Verdict& v = record.verdict;
  const Suite* suite = find_suite(record.suite);
  if (suite != nullptr && suite->every_instantiation) ran_.add(record.device, v);
  const Result<Case> c = parse_case(v.line);
  if (!c || v.kind() == VerdictKind::skipped) return;
  drifts_.add(*c, v);
  headrooms_.add(*c, v);
  if (suite != nullptr && suite->floors != nullptr) suites_[suite].add(*c, v);
}

void WholeSet::judge(bool complete) {
  complete_ = complete;
  for (const Drifts::Group& g : drifts_.groups()) {
    if (g.beyond()) drifting_.push_back(to_string(g));
  }
  if (!complete) return;
  below_ = ran_.missing();
  for (const auto& [suite, coverage] : suites_) {
    for (const std::string& floor : coverage.below(suite->floors())) {
      below_.push_back(fmt::format("{}: {}", suite->name, floor));
    }
  }
}

void WholeSet::print(std::FILE* to) const {
  if (complete_) {
    for (const auto& [suite, coverage] : suites_) {
      fmt::print(to, "{}\n", counts_of(*suite, coverage));
    }
  }
  for (const std::string& line : headrooms_.lines()) fmt::print(to, "headroom of {}\n", line);
  for (const std::string& line : headrooms_.too_loose()) {
    fmt::print(to, "note: too loose an interval: {}\n", line);
  }
  const std::vector<Drifts::Group> groups = drifts_.groups();
  if (!groups.empty()) {
    const auto most = std::ranges::max_element(groups, {}, &Drifts::Group::sigmas);
    fmt::print(to, "drift of {} groups; most: {}\n", groups.size(), to_string(*most));
  }
  for (const std::string& floor : below_) fmt::print(to, "below the floor: {}\n", floor);
  for (const std::string& drift : drifting_) fmt::print(to, "drift: {}\n", drift);
  if (complete_ && ran_.ran() > 0 && below_.empty()) {
    fmt::print(to, "every instantiation ran: {}\n", ran_.ran());
  }
}

}  // namespace w4
