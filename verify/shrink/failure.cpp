#include "verify/shrink/failure.h"

#include <fmt/format.h>

#include <algorithm>

namespace w4 {
namespace {

struct Name {
  std::string operator()(const Found& f) const {
    return f.findings.empty() ? "" : std::string(name_of(f.findings.front().kind));
  }
  std::string operator()(const LawBroken& l) const { return l.law; }
  std::string operator()(const Accepted& a) const { return a.clause; }
  // An unexpected refusal and one that touched the output are different defects.
  std::string operator()(const Refused& r) const {
    return fmt::format("{}{}{}", r.clause, r.expected ? "" : " unexpected",
                       r.untouched ? "" : " touched");
  }
  std::string operator()(const Skipped& s) const { return std::string(name_of(s.reason)); }
  std::string operator()(const Unsupported& u) const {
    return u.instruction.substr(0, u.instruction.find(' '));
  }
  std::string operator()(const Crash& c) const { return fmt::format("signal {}", c.signal); }
  std::string operator()(const auto&) const { return ""; }
};

}  // namespace

Failure failure_of(const Verdict& v) {
  Failure f{v.kind(), std::visit(Name{}, v.primary()), {}};
  for (const Outcome& o : v.outcomes) {
    if (const auto* a = std::get_if<Accepted>(&o)) f.accepted = a->clause;
  }
  return f;
}

bool shows(const Verdict& v, const Failure& failure) {
  Failure here = failure_of(v);
  if (const auto* found = std::get_if<Found>(&v.primary())) {
    const bool any = std::ranges::any_of(
        found->findings, [&](const Finding& f) { return name_of(f.kind) == failure.name; });
    if (any) here.name = failure.name;
  }
  return here == failure;
}

std::string to_string(const Failure& f) {
  return fmt::format("{}{}{}", name_of(f.kind), f.name.empty() ? "" : " ", f.name);
}

}  // namespace w4
