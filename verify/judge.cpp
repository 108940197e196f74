#include "verify/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "intake/in_module.h"
#include "reference/compare.h"
#include "reference/drift.h"
#include "reference/experts.h"
#include "verify/build_id.h"
#include "verify/elements.h"
#include "verify/trial.h"

namespace w4 {
namespace {

constexpr size_t kUnwrittenShown = 16;

std::vector<Finding> findings_of(const Run& run) {
  std::vector<Finding> all;
  for (const LaunchResult& l : run.launches) {
    all.insert(all.end(), l.findings.begin(), l.findings.end());
  }
  return all;
}

// Undefined-data alarms of the fast masks may over-report (rdna.md); every other kind is exact.
bool may_be_false(FindingKind k) {
  return k == FindingKind::undefined_address || k == FindingKind::undefined_branch ||
         k == FindingKind::undefined_exec || k == FindingKind::undefined_store;
}

std::vector<Finding> unwritten_elements(const Call& call, int64_t n) {
  std::vector<Finding> out;
  const std::vector<uint64_t> missing = call.unwritten(kUnwrittenShown);
  for (uint64_t i : missing) {
    Finding f;
    f.kind = FindingKind::unwritten_output;
    f.buffer = "out";
    f.bytes = 2;
    const auto flat = static_cast<int64_t>(i);
    f.offset = flat / n * call.operands().out.stride_bytes + flat % n * 2;
    f.detail = element_at(call.operands(), "out", f.offset) + " was never written";
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace

void append(std::vector<Outcome>& to, std::vector<Outcome> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

Outcome refused(const Refusal& refusal, bool expected, bool untouched) {
  return Refused{refusal.clause, refusal.message, expected, untouched};
}

std::vector<Outcome> outcomes_of(const std::vector<LaunchResult>& launches) {
  std::vector<Outcome> out;
  std::vector<Finding> findings;
  for (const LaunchResult& l : launches) {
    findings.insert(findings.end(), l.findings.begin(), l.findings.end());
    switch (l.end) {
      case LaunchResult::End::unsupported:
        out.push_back(Unsupported{l.why, l.pc, "", l.trace});
        break;
      case LaunchResult::End::step_limit:
        out.push_back(Timeout{0, l.wave_instructions, l.why, l.trace});
        break;
      case LaunchResult::End::refused:
        // A launch beyond the arch's limits comes with a finding; without one the device could not
        // make sense of the launch.
        if (l.findings.empty()) out.push_back(HarnessError{"launch refused: " + l.why});
        break;
      case LaunchResult::End::completed:
      case LaunchResult::End::findings:
        break;
    }
  }
  if (!findings.empty()) out.push_back(Found{std::move(findings)});
  return out;
}

std::vector<Outcome> judge_empty(const Run& run) {
  std::vector<Outcome> out = outcomes_of(run.launches);
  if (out.empty()) out.push_back(Pass{});
  return out;
}

void judge_run(const Setup& setup, Call& call, const Arrays& x, const ModuleNumerics& numerics,
               Trial& trial) {
  Run& run = trial.run;
  std::vector<Outcome>& out = trial.outcomes;
  if (const std::vector<Finding> alarms = findings_of(run); !alarms.empty()) {
    run = call.run(true);
    if (!run.trouble.empty()) {
      out.push_back(HarnessError{run.trouble});
      return;
    }
    const std::vector<Finding> confirmed = findings_of(run);
    for (const Finding& f : alarms) {
      const bool again = std::any_of(confirmed.begin(), confirmed.end(),
                                     [&](const Finding& g) { return g.kind == f.kind; });
      if (!again && !may_be_false(f.kind) && confirmed.empty()) {
        out.push_back(HarnessError{fmt::format("the confirming run does not show the {}:\n{}",
                                               name_of(f.kind), to_string(f))});
        return;
      }
    }
  }
  append(out, outcomes_of(run.launches));
  if (setup.device->lost()) return;  // nothing can be read any more: what was found is the verdict
  const bool complete =
      std::all_of(run.launches.begin(), run.launches.end(), [](const LaunchResult& l) {
        return l.end == LaunchResult::End::completed || l.end == LaunchResult::End::findings;
      });
  if (!complete) return;
  if (out.empty()) {
    if (auto missing = unwritten_elements(call, x.wei->n); !missing.empty()) {
      out.push_back(Found{std::move(missing)});
    }
  }
  std::vector<uint16_t> y = call.output();
  if (y.size() != static_cast<size_t>(x.m * x.wei->n)) {
    out.push_back(HarnessError{"the output could not be read back"});
    return;
  }
  const InModule here("the numerics", setup.kernel->name, setup.line.module);
  trial.right = make_reference(x, numerics, setup.arithmetic, is_random(setup.line.fill));
  trial.out = std::move(y);
  const Comparison compared = compare(x, numerics, trial.right.twin, trial.right.bound, trial.out);
  if (compared.bad > 0) {
    out.push_back(Mismatch{compared.worst, compared.bad, compared.total, compared.pattern});
  } else if (std::string why = distrust(setup, run, compared); !why.empty()) {
    out.push_back(Mistrusted{std::move(why)});
  }
  if (!out.empty()) return;
  Pass pass{compared.worst, compared.headroom, compared.exposure};
  if (is_random(setup.line.fill)) {
    pass.drift = drift_of(x, trial.right.twin, trial.right.bound, trial.out);
  }
  out.push_back(pass);
}

Provenance provenance(const Setup& setup, const Call& call) {
  const Problem& p = setup.line.problem;
  const Run& run = call.last();
  Provenance out;
  out.build_id = build_id();
  out.fp = setup.fp;
  out.instantiation = run.instantiation;
  out.symbols = run.symbols;
  out.resolved = fmt::format("lda={} ldy={} wstride={} sstride={} cus={} lds={}", resolved_lda(p),
                             resolved_ldy(p), weight_stride_bytes(p), scale_stride(p),
                             setup.reported.cus, setup.reported.lds);
  std::vector<std::string> inexact;
  for (const LaunchResult& l : run.launches) {
    out.wave_instructions += l.wave_instructions;
    if (l.text_hash != 0) out.object_hash = fmt::format("{:016x}", l.text_hash);
    inexact.insert(inexact.end(), l.inexact.begin(), l.inexact.end());
  }
  std::sort(inexact.begin(), inexact.end());
  inexact.erase(std::unique(inexact.begin(), inexact.end()), inexact.end());
  out.evidence = fmt::format("{}", fmt::join(inexact, " "));
  return out;
}

}  // namespace w4
