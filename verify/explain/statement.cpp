#include "verify/explain/statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/law.h"
#include "verify/explain/law_points_at.h"

namespace w4::explain {
namespace {

struct Say {
  bool green, alone;
  std::string operator()(const Pass&) const { return "nothing to explain: the case passes"; }
  std::string operator()(const Refused& r) const {
    if (green)
      return fmt::format(
          "nothing to explain: the case breaks clause {}, and the kernel "
          "refuses it by that name and writes nothing",
          r.clause);
    if (!r.untouched)
      return fmt::format(
          "the kernel refuses the call ({}: {}) after it has written "
          "to the output",
          r.clause, r.message);
    return fmt::format(
        "the kernel refuses with {}: {}; the case does not break that clause, or "
        "accept() and run() name different ones",
        r.clause, r.message);
  }
  std::string operator()(const Accepted& a) const {
    return fmt::format(
        "the case breaks clause {} ({}), and the kernel computed something instead "
        "of refusing: its check is missing, or tests another condition",
        a.clause, a.message);
  }
  std::string operator()(const Found& f) const {
    const Finding& first = f.findings.front();
    return fmt::format(
        "the kernel breaks a rule of memory or concurrency, whatever its outputs: {} "
        "in {}{}{}; the verdict has instruction and source line",
        name_of(first.kind), first.kernel.empty() ? "the call" : first.kernel,
        first.detail.empty() ? "" : ", ", first.detail);
  }
  std::string operator()(const LawBroken& l) const {
    const auto law = law_from(l.law);
    return fmt::format(
        "the relation {} does not hold between '{}' and '{}': {}. It says: {}; so {}{}", l.law,
        l.first_line, l.second_line, l.detail, law ? says_of(*law) : l.law,
        law ? law_points_at(*law) : "it does not",
        alone ? ". Each call by itself lies in its intervals: only the relation shows it" : "");
  }
  std::string operator()(const Mismatch&) const { return "the output is wrong"; }
  std::string operator()(const Mistrusted& m) const {
    return fmt::format(
        "nothing is wrong, but the pass proves little: {}; take a fill or a shape "
        "that shows more",
        m.why);
  }
  std::string operator()(const Skipped& s) const {
    return fmt::format("the case did not run, so there is nothing to explain: {}", s.detail);
  }
  std::string operator()(const Unsupported& u) const {
    return fmt::format("the emulator does not know the instruction '{}': no fault of the kernel",
                       u.instruction);
  }
  std::string operator()(const Timeout& t) const {
    return fmt::format(
        "the case does not end{}{}: a loop whose bound is wrong, or a barrier that "
        "waits for waves that left; `rerun --trace` shows where it turns",
        t.detail.empty() ? "" : ": ", t.detail);
  }
  std::string operator()(const Crash& c) const {
    return fmt::format(
        "native code of the module ended its process, signal {}: no output to look "
        "at",
        c.signal);
  }
  std::string operator()(const HarnessError& h) const {
    return fmt::format("the harness or the module broke a rule of the interface: {}", h.what);
  }
};

}  // namespace

std::string statement(const Verdict& v) {
  return std::visit(Say{v.green(), v.outcomes.size() == 1}, v.primary());
}

bool about_outputs(const Verdict& v) {
  const VerdictKind kind = v.kind();
  return kind == VerdictKind::finding || kind == VerdictKind::law_broken ||
         kind == VerdictKind::mismatch;
}

}  // namespace w4::explain
