#include "core/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "core/rerun.h"

namespace w4 {
namespace {

constexpr std::array<std::string_view, 12> kKinds{
    "harness_error", "crash",    "timeout", "unsupported", "finding", "law_broken",
    "mismatch",      "accepted", "refused", "mistrusted",  "skipped", "pass"};
static_assert(std::variant_size_v<Outcome> == kKinds.size());

// kind_of is the index of the variant; one line per alternative keeps the two lists in step.
template <VerdictKind K, class T>
constexpr bool kIsKind =
    std::is_same_v<std::variant_alternative_t<static_cast<size_t>(K), Outcome>, T>;
static_assert(kIsKind<VerdictKind::harness_error, HarnessError>);
static_assert(kIsKind<VerdictKind::crash, Crash>);
static_assert(kIsKind<VerdictKind::timeout, Timeout>);
static_assert(kIsKind<VerdictKind::unsupported, Unsupported>);
static_assert(kIsKind<VerdictKind::finding, Found>);
static_assert(kIsKind<VerdictKind::law_broken, LawBroken>);
static_assert(kIsKind<VerdictKind::mismatch, Mismatch>);
static_assert(kIsKind<VerdictKind::accepted, Accepted>);
static_assert(kIsKind<VerdictKind::refused, Refused>);
static_assert(kIsKind<VerdictKind::mistrusted, Mistrusted>);
static_assert(kIsKind<VerdictKind::skipped, Skipped>);
static_assert(kIsKind<VerdictKind::pass, Pass>);

std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  for (char ch : text) {
    out += ch;
    if (ch == '\n') out += indent;
  }
  return out;
}

// " of clause k.group: message", the parts that are known.
std::string clause_text(std::string_view clause, std::string_view message) {
  std::string out;
  if (!clause.empty()) out += fmt::format(" clause {}", clause);
  if (!message.empty()) out += fmt::format("{} {}", clause.empty() ? "" : ":", message);
  return out;
}

std::string print(const Worst& w) {
  if (w.m < 0 && w.n < 0) return "";
  return fmt::format(
      "\n  worst: out[m={}, n={}]"
      "\n  expected: {:.9g} to {:.9g} (declared twin {:.12g} before bias and store, bound {:.4g})"
      "\n  got: {:.9g} ((y - twin)/bound = {:.4g})",
      w.m, w.n, w.low, w.high, w.twin, w.bound, w.got, w.ratio);
}

std::string print(const Pass& p) {
  return fmt::format("; largest |y - twin|/bound {:.4g}{}", p.headroom, print(p.worst));
}
std::string print(const Mismatch& m) {
  return fmt::format(": {} of {} elements outside their interval{}{}{}", m.count, m.total,
                     m.pattern.empty() ? "" : "; ", m.pattern, print(m.worst));
}
std::string print(const LawBroken& l) {
  std::string out = fmt::format(": {}", l.law);
  if (!l.detail.empty()) out += fmt::format(": {}", l.detail);
  if (l.m >= 0 || l.n >= 0) out += fmt::format("\n  first difference: out[m={}, n={}]", l.m, l.n);
  out += fmt::format("\n  first run: {}\n  second run: {}", l.first_line, l.second_line);
  return out;
}
std::string print(const Found& f) {
  std::string out = fmt::format(": {}", f.findings.size());
  for (const Finding& one : f.findings) out += "\n  " + indented(to_string(one), "  ");
  return out;
}
std::string print(const Accepted& a) {
  return fmt::format(": the call ran although it breaks{}", clause_text(a.clause, a.message));
}
std::string print(const Refused& r) {
  return fmt::format(":{}{}{}", clause_text(r.clause, r.message),
                     r.expected ? "\n  expected: the case breaks this clause"
                                : "\n  not expected: the case does not break this clause",
                     r.untouched ? "" : "\n  output bytes were written all the same");
}
std::string print(const Mistrusted& m) { return fmt::format(": {}", m.why); }
std::string print(const Skipped& s) {
  return fmt::format(": {}{}{}", name_of(s.reason), s.detail.empty() ? "" : ": ", s.detail);
}
std::string print(const Unsupported& u) {
  std::string out = fmt::format(": the emulator does not know `{}`", u.instruction);
  if (u.pc != 0) out += fmt::format(" at pc {:#x}", u.pc);
  if (!u.detail.empty()) out += fmt::format(": {}", u.detail);
  return out + trace_text(u.trace);
}
std::string print(const Crash& c) {
  std::string out = c.signal == 0 ? ": the process exited" : fmt::format(": signal {}", c.signal);
  if (!c.where.empty()) out += " in " + c.where;
  if (!c.stderr_tail.empty()) out += "\n  stderr: " + indented(c.stderr_tail, "  ");
  return out;
}
std::string print(const Timeout& t) {
  return fmt::format(": after {:.3g} s and {} wave-instructions{}{}{}", t.seconds, t.steps,
                     t.detail.empty() ? "" : ": ", t.detail, trace_text(t.trace));
}
std::string print(const HarnessError& h) { return fmt::format(": {}", h.what); }

}  // namespace

std::string_view name_of(VerdictKind k) { return kKinds.at(static_cast<size_t>(k)); }

std::optional<VerdictKind> verdict_kind_from(std::string_view name) {
  const auto found = std::ranges::find(kKinds, name);
  if (found == kKinds.end()) return std::nullopt;
  return static_cast<VerdictKind>(found - kKinds.begin());
}

std::string_view name_of(SkipReason r) {
  switch (r) {
    case SkipReason::no_device:
      return "no_device";
    case SkipReason::no_code_object:
      return "no_code_object";
    case SkipReason::too_large:
      return "too_large";
    case SkipReason::not_supported_by_kernel:
      return "not_supported_by_kernel";
    case SkipReason::interrupted:
      break;
  }
  return "interrupted";
}

VerdictKind kind_of(const Outcome& o) { return static_cast<VerdictKind>(o.index()); }

std::string to_string(const Outcome& o) {
  return std::string(name_of(kind_of(o))) + std::visit([](const auto& v) { return print(v); }, o);
}

bool Verdict::green() const {
  if (kind() == VerdictKind::pass) return true;
  if (kind() != VerdictKind::refused) return false;
  // Several refusals of one case: each must be one that the case asked for.
  return std::ranges::all_of(outcomes, [](const Outcome& o) {
    const auto* refused = std::get_if<Refused>(&o);
    return refused == nullptr || (refused->expected && refused->untouched);
  });
}

Verdict make_verdict(std::string line, std::vector<Outcome> outcomes, Provenance ran) {
  if (outcomes.empty())
    outcomes.emplace_back(HarnessError{"no outcome was recorded for this case"});
  std::vector<Outcome>
      sorted;  // stable; libstdc++ 12's stable_sort does not build without warnings
  for (size_t kind = 0; kind < kKinds.size(); ++kind) {
    for (Outcome& o : outcomes) {
      if (o.index() == kind) sorted.push_back(std::move(o));
    }
  }
  return {std::move(line), std::move(sorted), std::move(ran)};
}

std::string to_string(const Verdict& v) {
  std::string out = to_string(v.primary());
  for (size_t i = 1; i < v.outcomes.size(); ++i) {
    out += "\n  also " + indented(to_string(v.outcomes[i]), "  ");
  }
  const Provenance& p = v.ran;
  std::string where;
  const auto add = [&where](std::string_view label, std::string_view value) {
    if (!value.empty()) {
      where += fmt::format("{}{}{}{}", where.empty() ? "" : "; ", label, label.empty() ? "" : " ",
                           value);
    }
  };
  add("", p.instantiation);
  add("object", p.object_hash);
  add("fp", p.fp);
  add("evidence", p.evidence);
  add("build", p.build_id);
  if (!where.empty()) out += "\n  where: " + where;
  if (!p.resolved.empty()) out += "\n  resolved: " + p.resolved;
  if (p.relation) {
    out += fmt::format("\n  law: {} elements bit for bit, {} within the sum of both intervals{}{}",
                       p.relation->exact, p.relation->within, p.relation->why.empty() ? "" : ": ",
                       p.relation->why);
  }
  out += "\n  rerun: " + command_to_rerun(v.line);
  if (!v.green() && v.kind() != VerdictKind::skipped) {
    out +=
        "\n  the same with explain: the kind of defect; with shrink: a smaller line that fails "
        "alike";
  }
  return out;
}

}  // namespace w4
