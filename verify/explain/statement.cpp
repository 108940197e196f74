#include "verify/explain/statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/law.h"
#include "verify/explain/law_points_at.h"

namespace w4::explain {
namespace {

// "an out-of-bounds read of bias"
std::string words_for(const Finding& f) {
  const std::string of = f.buffer.empty() ? "memory" : f.buffer;
  switch (f.kind) {
    case FindingKind::oob_read:
      return "an out-of-bounds read of " + of;
    case FindingKind::oob_write:
      return "an out-of-bounds write to " + of;
    case FindingKind::read_only_write:
      return "a write to " + of + ", which is read-only";
    case FindingKind::lds_oob:
      return "an access outside the LDS of the launch";
    case FindingKind::lds_race:
      return "an LDS race";
    case FindingKind::global_race:
      return "a race on " + of;
    case FindingKind::undefined_address:
      return "an address made of undefined data";
    case FindingKind::undefined_branch:
      return "a branch on undefined data";
    case FindingKind::undefined_exec:
      return "an EXEC mask made of undefined data";
    case FindingKind::undefined_store:
      return "undefined data stored";
    case FindingKind::barrier_divergence:
      return "a barrier that not all waves of a workgroup reach";
    case FindingKind::deadlock:
      return "a deadlock";
    case FindingKind::misaligned:
      return "a misaligned access";
    case FindingKind::inactive_lane:
      return "a value of an inactive lane used";
    case FindingKind::wmma_replication:
      return "a matrix operand that its two halves of lanes hold differently";
    case FindingKind::limit:
      return "a launch beyond a limit";
    case FindingKind::wait_counter:
      return "a register used before the wait for its load";
    case FindingKind::double_write:
      return "an output element written twice";
    case FindingKind::unwritten_output:
      return "an output element never written";
    case FindingKind::device_fault:
      return "an access that the GPU stopped";
    case FindingKind::input_modified:
      break;
  }
  return "a changed input";
}

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
    return fmt::format("{} in {}{}{}", words_for(first),
                       first.kernel.empty() ? "the call" : first.kernel,
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
