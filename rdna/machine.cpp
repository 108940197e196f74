#include "rdna/machine.h"

#include <algorithm>

#include "rdna/checks/global_race.h"
#include "rdna/confirm.h"
#include "rdna/coverage.h"
#include "rdna/figures.h"
#include "rdna/report.h"
#include "rdna/trace.h"

namespace w4::rdna {

void Machine::prepare(Launch& launch, const WaveStart& start) {
  const uint32_t threads = start.block.x * start.block.y * start.block.z;
  const size_t waves = (threads + kLanes - 1) / kLanes;
  const auto vgprs = static_cast<size_t>(launch.program->vgprs());
  // One row more per wave: the machine's own, see Program.
  if (vgprs_.size() < waves * (vgprs + 1)) vgprs_.resize(waves * (vgprs + 1));
  if (masks_.size() < waves * (vgprs + 1) * 2) masks_.resize(waves * (vgprs + 1) * 2);
  group_.waves.resize(waves);
  for (size_t i = 0; i < waves; ++i) {
    Wave& w = group_.waves[i];
    w.group = &group_;
    w.id = static_cast<int>(i);
    w.vgprs = static_cast<uint16_t>(vgprs);
    w.v = &vgprs_[i * (vgprs + 1)];
    w.dlo = &masks_[i * (vgprs + 1) * 2];
    w.dhi = w.dlo + vgprs + 1;
    w.fp = launch.config->fp;
    w.moves = nullptr;  // a confirming run before this one may have set it
    w.lane_use = (launch.checks & kLaneUse) != 0;
  }
  group_.launch = &launch;
  group_.checks = launch.checks;
  if (launch.checks & kWaits) waits_.start_launch(*launch.program);
  group_.lds.start(launch.kernel->static_lds + launch.config->dynamic_lds);
  group_.lds.shadow = launch.track || (launch.checks & kLdsRace);
  group_.scratch_bytes = start.scratch_bytes;
  entry_ = launch.program->index(start.descriptor->entry);
  const size_t scratch = waves * kLanes * start.scratch_bytes;
  if (group_.scratch.size() < scratch) group_.scratch.resize(scratch);
  if (group_.scratch_state.size() < scratch) group_.scratch_state.resize(scratch);
}

uint64_t Machine::run_wave(Launch& launch, Wave& w, uint64_t steps) {
  const int t = launch.track ? 1 : 0;
  uint64_t n = std::min(steps, launch.steps_left);
  const uint64_t asked = n;
  if (launch.confirm || launch.trace || launch.figures) [[unlikely]] {
    for (; n > 0 && w.state == WaveState::ready; --n) {
      const Op& op = launch.program->resolve(w.pc);
      if (launch.trace) launch.trace->runs(w, op.pc);
      if (group_.checks_on(kWaits) && !waits_.step(w, w.pc, op)) break;
      if (launch.figures) launch.figures->runs(w, op);
      w.pc = op.next;
      if (launch.confirm) {
        launch.confirm->step(w, op);
      } else {
        op.run[t](w, op);
      }
    }
  } else if (group_.checks_on(kWaits)) [[unlikely]] {
    for (; n > 0 && w.state == WaveState::ready; --n) {
      const Op& op = launch.program->resolve(w.pc);
      if (!waits_.step(w, w.pc, op)) break;
      w.pc = op.next;
      op.run[t](w, op);
    }
  } else {
    while (n > 0 && w.state == WaveState::ready) {
      const Op& op = *launch.program->table()[w.pc];
      w.pc = op.next;
      op.run[t](w, op);
      --n;
    }
  }
  w.steps += asked - n;
  if (w.state == WaveState::yielded) w.state = WaveState::ready;
  launch.report->wave_instructions += asked - n;
  if (launch.figures) launch.figures->wave_instructions += asked - n;
  launch.steps_left -= asked - n;
  if (launch.steps_left == 0 && w.state == WaveState::ready && !launch.stop) {
    launch.stop = true;
    const Op& op = launch.program->resolve(w.pc);
    launch.report->end = LaunchReport::End::step_limit;
    launch.report->where.workgroup = static_cast<int64_t>(group_.number);
    launch.report->where.wave = w.id;
    launch.report->where.pc = op.pc;
    launch.report->where.instruction = launch.program->code().text_at(op.pc);
    launch.report->where.source = launch.program->code().source_at(op.pc);
    launch.report->why =
        fmt::format("step limit of {} wave-instructions reached", launch.config->step_limit);
    if (launch.trace) launch.report->trace = launch.trace->of(w, op, 0);
  }
  if (w.state == WaveState::stopped) end_wave(w);
  return asked - n;
}

void Machine::run(Launch& launch, const WaveStart& start, uint64_t number) {
  const Dim3 grid = launch.config->grid;
  group_.number = number;
  group_.id = {static_cast<uint32_t>(number % grid.x),
               static_cast<uint32_t>(number / grid.x % grid.y),
               static_cast<uint32_t>(number / grid.x / grid.y)};
  group_.live = static_cast<int>(group_.waves.size());
  group_.arrived = 0;
  group_.wave_stopped = false;
  group_.phase = 1;  // a wave starts with phase 0: it has arrived nowhere
  group_.lds.next_workgroup();
  if (launch.races) launch.races->next_workgroup(number);
  if (start.scratch_bytes) {
    std::ranges::fill(group_.scratch, uint8_t{0});
    std::ranges::fill(group_.scratch_state, uint8_t{0});
  }
  // Without tracking nothing tells what is undefined; zeros keep such runs repeatable.
  if (!launch.track) {
    std::ranges::fill(vgprs_, Lanes{});
    std::fill_n(group_.lds.bytes.begin(), group_.lds.size, uint8_t{0});
  }
  for (Wave& w : group_.waves) {
    start_wave(w, start);
    w.pc = entry_;
  }
  if (counting) counting->waves += group_.waves.size();
  if (launch.figures) {
    ++launch.figures->workgroups;
    launch.figures->waves += group_.waves.size();
  }
  if (launch.confirm) launch.confirm->start_workgroup(group_);
  if (launch.trace) launch.trace->start_workgroup(group_.waves.size());
  if (launch.checks & kWaits) waits_.start_workgroup(group_.waves.size());
  const size_t waves = group_.waves.size();
  turns_.start(launch.config->schedule, number, waves);
  while (group_.live > 0 && !launch.stop && launch.wanted()) {
    const Turns::Turn turn = turns_.next(group_.waves);
    if (turn.wave < waves) {
      turns_.ran(run_wave(launch, group_.waves[turn.wave], turn.steps));
      continue;
    }
    for (Wave& w : group_.waves) {
      if (w.state != WaveState::at_barrier) continue;
      found(w, *launch.program->table()[launch.program->index(w.barrier_pc)], FindingKind::deadlock,
            0,
            fmt::format("no wave can run: {} of {} live waves arrived at the barrier",
                        group_.arrived, group_.live));
      break;
    }
    break;
  }
}

}  // namespace w4::rdna
