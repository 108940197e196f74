#include "campaign/zoo/oracle.h"

#include <algorithm>

#include "zoo/finding_family.h"

namespace w4::zoo {
namespace {

bool has(const Expect& e, VerdictKind k) {
  return std::ranges::find(e.verdicts, k) != e.verdicts.end();
}
bool has(const Expect& e, const std::string& clause) {
  return std::ranges::find(e.clauses, clause) != e.clauses.end();
}

Oracle oracle_of(FindingFamily f) {
  switch (f) {
    case FindingFamily::memory:
      return Oracle::memory;
    case FindingFamily::value:
      return Oracle::value;
    case FindingFamily::order:
      return Oracle::order;
  }
  return Oracle::memory;
}

struct Judge {
  const Expect& expect;
  std::vector<Kill>& out;
  bool native = false;

  void operator()(const Mismatch&) const { out.push_back({Oracle::interval, "mismatch"}); }
  void operator()(const LawBroken& l) const { out.push_back({Oracle::laws, "law " + l.law}); }
  void operator()(const Found& f) const {
    for (const Finding& finding : f.findings) {
      const FindingFamily family = family_of(finding.kind);
      const bool fault = finding.kind == FindingKind::device_fault;
      const bool counts = std::ranges::any_of(expect.findings, [&](FindingKind k) {
        return family_of(k) == family || (native && fault);
      });
      if (!counts) continue;
      out.push_back({oracle_of(family), "finding " + std::string(name_of(finding.kind))});
    }
  }
  void operator()(const Accepted& a) const {
    if (has(expect, VerdictKind::accepted) && has(expect, a.clause))
      out.push_back({Oracle::contract, "accepted " + a.clause});
  }
  void operator()(const Refused& r) const {
    if (!r.expected && has(expect, VerdictKind::refused) && has(expect, r.clause))
      out.push_back({Oracle::contract, "refused " + r.clause});
  }
  void operator()(const Crash&) const {
    if (has(expect, VerdictKind::crash)) out.push_back({Oracle::process, "crash"});
  }
  void operator()(const Timeout&) const {
    if (has(expect, VerdictKind::timeout) || hangs()) out.push_back({Oracle::process, "timeout"});
  }
  bool hangs() const {
    return native && std::ranges::any_of(expect.findings, [](FindingKind k) {
             return family_of(k) == FindingFamily::order;
           });
  }
  void operator()(const HarnessError&) const {}
  void operator()(const Unsupported&) const {}
  void operator()(const Mistrusted&) const {}
  void operator()(const Skipped&) const {}
  void operator()(const Pass&) const {}
};

}  // namespace

std::string_view name_of(Oracle o) {
  switch (o) {
    case Oracle::interval:
      return "interval";
    case Oracle::laws:
      return "laws";
    case Oracle::memory:
      return "memory";
    case Oracle::value:
      return "value";
    case Oracle::order:
      return "order";
    case Oracle::contract:
      return "contract";
    case Oracle::drift:
      return "drift";
    case Oracle::audit:
      return "audit";
    case Oracle::process:
      return "process";
  }
  return "interval";
}

std::string_view says_of(Oracle o) {
  switch (o) {
    case Oracle::interval:
      return "an element outside the interval of its declared numerics";
    case Oracle::laws:
      return "a broken relation between calls";
    case Oracle::memory:
      return "findings about accesses that are not the call's own";
    case Oracle::value:
      return "findings about values nobody made, outputs nobody wrote or two did";
    case Oracle::order:
      return "findings about races, barriers and waits";
    case Oracle::contract:
      return "an illegal call that ran, a legal one that was refused";
    case Oracle::drift:
      return "outputs that lean to one side together";
    case Oracle::audit:
      return "the audits of the kernel table and of selection";
    case Oracle::process:
      return "a crash, or an end that does not come";
  }
  return "";
}

std::vector<Kill> kills_of(const Expect& expect, const Verdict& v, bool native) {
  std::vector<Kill> out;
  const Judge judge{expect, out, native};
  const VerdictKind kind = v.kind();
  const bool ended = kind == VerdictKind::harness_error || kind == VerdictKind::unsupported ||
                     kind == VerdictKind::crash || kind == VerdictKind::timeout;
  const bool hung = kind == VerdictKind::timeout && judge.hangs();
  if (ended && !hung && !has(expect, kind)) return out;
  for (const Outcome& o : v.outcomes) std::visit(judge, o);
  return out;
}

}  // namespace w4::zoo
