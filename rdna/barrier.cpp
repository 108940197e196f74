// Barriers: a phase ends when every wave that is still running has arrived. Waves that ended do
// not count (the hardware's rule); two waves of one phase at different barriers are a finding.
#include "rdna/checks/global_race.h"
#include "rdna/report.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

void complete_phase_if_all_arrived(Workgroup& g) {
  if (g.live == 0 || g.arrived < g.live) return;
  g.arrived = 0;
  ++g.phase;
  g.lds.barrier();
  if (g.launch->races) g.launch->races->barrier();
  for (Wave& w : g.waves) w.acquired = 0;
  for (Wave& w : g.waves) {
    if (w.state != WaveState::at_barrier) continue;
    w.state = WaveState::ready;
    w.arrived = false;
  }
}

void arrive(Wave& w, const Op& op) {
  Workgroup& g = *w.group;
  if (w.arrived && w.barrier_phase == g.phase) {
    found(w, op, FindingKind::barrier_divergence, 0,
          "the wave signals a barrier twice in one phase");
    return;
  }
  if (g.checks_on(kBarrier)) {
    for (const Wave& o : g.waves) {
      const bool waits = &o != &w && o.arrived && o.barrier_phase == g.phase &&
                         (o.state == WaveState::ready || o.state == WaveState::at_barrier);
      if (!waits || o.barrier_pc == op.pc) continue;
      Finding f;
      f.kind = FindingKind::barrier_divergence;
      f.detail = fmt::format("wave {} arrived at the barrier at {:#x}, wave {} at the one at {:#x}",
                             w.id, op.pc, o.id, o.barrier_pc);
      f.other = Party{static_cast<int64_t>(g.number),
                      o.id,
                      -1,
                      o.barrier_pc,
                      g.launch->program->code().text_at(o.barrier_pc),
                      g.launch->program->code().source_at(o.barrier_pc),
                      g.launch->program->code().files_at(o.barrier_pc)};
      report(w, op, std::move(f), 0);
      return;
    }
  }
  w.arrived = true;
  w.barrier_phase = g.phase;
  w.barrier_pc = op.pc;
  ++g.arrived;
  complete_phase_if_all_arrived(g);
}

void end_wave(Wave& w) {
  Workgroup& g = *w.group;
  --g.live;
  if (w.arrived && w.barrier_phase == g.phase) --g.arrived;  // signalled but never waited
  complete_phase_if_all_arrived(g);
}

}  // namespace w4::rdna
