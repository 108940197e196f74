#include "rdna/report.h"

#include <bit>

#include "rdna/confirm.h"
#include "rdna/trace.h"
#include "rdna/workgroup.h"

namespace w4::rdna {
namespace {

Party party(const Wave& w, const Op& op, uint32_t lanes) {
  Party p;
  p.workgroup = static_cast<int64_t>(w.group->number);
  p.wave = w.id;
  p.lane = lanes ? std::countr_zero(lanes) : -1;
  p.pc = op.pc;
  p.instruction = w.group->launch->program->code().text_at(op.pc);
  p.source = w.group->launch->program->code().source_at(op.pc);
  p.files = w.group->launch->program->code().files_at(op.pc);
  return p;
}

std::string_view what_it_reached(FindingKind k) {
  switch (k) {
    case FindingKind::undefined_address:
      return "an address";
    case FindingKind::undefined_branch:
      return "a branch condition";
    case FindingKind::undefined_exec:
      return "EXEC";
    default:
      return "global memory";
  }
}

bool is_consequence(FindingKind k) {
  return k == FindingKind::undefined_address || k == FindingKind::undefined_branch ||
         k == FindingKind::undefined_exec || k == FindingKind::undefined_store ||
         k == FindingKind::deadlock;
}

std::vector<std::string> trace(const Wave& w, const Op& op, const Finding& f, uint32_t lanes) {
  const Trace& of = *w.group->launch->trace;
  std::vector<std::string> lines = of.of(w, op, lanes, f.at.lane);
  if (f.kind == FindingKind::deadlock || f.kind == FindingKind::barrier_divergence) {
    for (std::string& line : of.waves(w)) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

void report(Wave& w, const Op& op, Finding f, uint32_t lanes) {
  Launch& launch = *w.group->launch;
  w.state = WaveState::stopped;
  // What a wave that was stopped before did not write is undefined for the others, and they may
  // wait for it in vain: consequences, not findings.
  const bool first = !w.group->wave_stopped;
  w.group->wave_stopped = true;
  if (!first && is_consequence(f.kind)) return;
  if (!launch.seen.emplace(f.kind, op.pc).second) return;
  f.kernel = launch.kernel->demangled;
  const int lane = f.at.lane;
  f.at = party(w, op, lanes);
  if (lane >= 0) f.at.lane = lane;
  if (launch.trace) f.trace = trace(w, op, f, lanes);
  launch.report->findings.push_back(std::move(f));
  launch.report->end = LaunchReport::End::findings;
  if (launch.report->findings.size() >= launch.config->max_findings) launch.stop = true;
}

void found(Wave& w, const Op& op, FindingKind kind, uint32_t lanes, std::string detail) {
  Finding f;
  f.kind = kind;
  f.detail = std::move(detail);
  report(w, op, std::move(f), lanes);
}

void misuse(Wave& w, const Op& op, FindingKind kind, uint32_t lanes, std::string_view detail) {
  if (w.group->checks_on(kLaneUse)) found(w, op, kind, lanes, std::string(detail));
}

void undefined(Wave& w, const Op& op, FindingKind kind, uint32_t lanes) {
  Launch& launch = *w.group->launch;
  if (!(w.group->checks & (kUninit | kLaneUse))) return;
  Finding f;
  f.kind = kind;
  f.detail = fmt::format("an undefined value reached {}", what_it_reached(kind));
  if (launch.confirm) {
    Confirm::Birth birth = launch.confirm->birth(w, op, lanes);
    if (!w.group->checks_on(birth.inactive_lane ? kLaneUse : kUninit)) return;
    f.born = std::move(birth.text);
    if (birth.inactive_lane) {
      f.kind = FindingKind::inactive_lane;
      f.detail = fmt::format("the value of an inactive lane reached {}", what_it_reached(kind));
    }
  }
  report(w, op, std::move(f), lanes);
}

void unsupported(Wave& w, const Op& op, std::string why) {
  Launch& launch = *w.group->launch;
  w.state = WaveState::stopped;
  launch.stop = true;
  if (launch.report->end == LaunchReport::End::unsupported) return;
  launch.report->end = LaunchReport::End::unsupported;
  launch.report->where = party(w, op, 0);
  if (launch.trace) launch.report->trace = launch.trace->of(w, op, 0);
  launch.report->why = fmt::format("{} at {:#x}: {}", launch.report->where.instruction, op.pc, why);
}

}  // namespace w4::rdna
