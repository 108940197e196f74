// Control: branches, calls, barriers, the end of a wave, waits and hints.
#include <array>

#include "rdna/access.h"
#include "rdna/branch_target.h"
#include "rdna/coverage.h"
#include "rdna/report.h"
#include "rdna/rows/machine_rows.h"
#include "rdna/table.h"
#include "rdna/workgroup.h"

namespace w4::rdna {
namespace {

// Exactly, for listings; and AFL-style for fuzzers: a hash of both ends, saturating.
void count_edge(Wave& w, const Op& op, uint64_t to) {
  if (counting) [[unlikely]]
    counting->edges.add(op.pc, to);
  const std::span<uint8_t> edges = w.group->launch->edges;
  if (edges.empty()) [[likely]]
    return;
  uint64_t h = op.pc * 0x9e3779b97f4a7c15u ^ to * 0xc2b2ae3d27d4eb4fu;
  h ^= h >> 29;
  uint8_t& c = edges[h % edges.size()];
  if (c != 255) ++c;
}

enum class Cond { always, scc0, scc1, vccz, vccnz, execz, execnz };

template <Track T, Cond C>
void branch(Wave& w, const Op& op) {
  bool known = true, taken = true;
  switch (C) {
    case Cond::always:
      break;
    case Cond::scc0:
    case Cond::scc1:
      known = w.scc_def;
      taken = w.scc == (C == Cond::scc1);
      break;
    case Cond::vccz:
    case Cond::vccnz:
      // One defined set bit decides "not zero" whatever the others are.
      known = w.sdef[kVcc] == ~0u || (w.vcc() & w.sdef[kVcc]) != 0;
      taken = (w.vcc() != 0) == (C == Cond::vccnz);
      break;
    case Cond::execz:
    case Cond::execnz:
      taken = (w.exec() != 0) == (C == Cond::execnz);
      break;
  }
  if constexpr (T == Track::on) {
    if (!known) [[unlikely]]
      return undefined(w, op, FindingKind::undefined_branch, 0);
  }
  if (taken) w.pc = op.target;
  count_edge(w, op, taken ? branch_target(op) : op.pc + op.size);
}

template <Track T>
void jump_to(Wave& w, const Op& op, const Operand& target) {
  if constexpr (T == Track::on) {
    if ((read_sdef(w, target) & read_sdef(w, target, 1)) != ~0u) {
      return undefined(w, op, FindingKind::undefined_branch, 0);
    }
  }
  const uint64_t to = read_s64(w, target) - w.group->launch->image;
  w.pc = w.group->launch->program->index(to);
  count_edge(w, op, to);
}

void write_pc(Wave& w, const Op& op) {
  const uint64_t a = w.group->launch->image + op.pc + op.size;
  write_s(w, op.dst[0].reg, static_cast<uint32_t>(a));
  write_s(w, op.dst[0].reg + 1, static_cast<uint32_t>(a >> 32));
}

template <Track T>
void setpc(Wave& w, const Op& op) {
  jump_to<T>(w, op, op.src[0]);
}

template <Track T>
void swappc(Wave& w, const Op& op) {
  // The target is read first: source and destination may be the same pair.
  jump_to<T>(w, op, op.src[0]);
  write_pc(w, op);
}

void call(Wave& w, const Op& op) {
  write_pc(w, op);
  w.pc = op.target;
  count_edge(w, op, branch_target(op));
}

void endpgm(Wave& w, const Op&) {
  w.state = WaveState::done;
  end_wave(w);
}

void barrier(Wave& w, const Op& op) {
  w.state = WaveState::at_barrier;
  arrive(w, op);
  if (w.state != WaveState::ready) return;
  w.arrived = false;
  w.state = WaveState::yielded;
}

// gfx12 in two halves. Only the workgroup barrier (-1) exists for compute kernels.
bool workgroup_barrier(Wave& w, const Op& op) {
  if (op.imm[0] == -1) return true;
  unsupported(w, op, "only barrier -1 is implemented");
  return false;
}
void barrier_signal(Wave& w, const Op& op) {
  if (workgroup_barrier(w, op)) arrive(w, op);
}
// SCC: no other wave of the workgroup has signalled in this phase.
void barrier_signal_isfirst(Wave& w, const Op& op) {
  if (!workgroup_barrier(w, op)) return;
  w.scc = w.group->arrived == 0;
  w.scc_def = true;
  arrive(w, op);
}
void barrier_wait(Wave& w, const Op& op) {
  if (!workgroup_barrier(w, op)) return;
  if (!w.arrived)
    return found(w, op, FindingKind::deadlock, 0,
                 "the wave waits for a barrier that it did not signal");
  // Done already when the phase moved on between the halves; else complete_phase() wakes the wave.
  const bool done = w.group->phase != w.barrier_phase;
  w.arrived = !done;
  w.state = done ? WaveState::yielded : WaveState::at_barrier;
}

void trap(Wave& w, const Op& op) { unsupported(w, op, "the kernel ran into a trap"); }

constexpr Row same(std::string_view mnemonic, Handler h) {
  return {mnemonic, {h, h}, Flow::special, "branch", Evidence::ieee};
}
template <Cond C>
constexpr Row cond(std::string_view mnemonic) {
  return {mnemonic,
          {branch<Track::off, C>, branch<Track::on, C>},
          Flow::special,
          "branch",
          Evidence::ieee};
}

constexpr std::array kRows = {
    cond<Cond::always>("s_branch"),
    cond<Cond::scc0>("s_cbranch_scc0"),
    cond<Cond::scc1>("s_cbranch_scc1"),
    cond<Cond::vccz>("s_cbranch_vccz"),
    cond<Cond::vccnz>("s_cbranch_vccnz"),
    cond<Cond::execz>("s_cbranch_execz"),
    cond<Cond::execnz>("s_cbranch_execnz"),
    Row{"s_setpc_b64",
        {setpc<Track::off>, setpc<Track::on>},
        Flow::special,
        "branch",
        Evidence::ieee},
    Row{"s_swappc_b64",
        {swappc<Track::off>, swappc<Track::on>},
        Flow::special,
        "branch",
        Evidence::ieee},
    same("s_call_b64", call),
    same("s_getpc_b64", write_pc),
    same("s_endpgm", endpgm),
    same("s_endpgm_saved", endpgm),
    same("s_trap", trap),
    same("s_barrier", barrier),
    same("s_barrier_signal", barrier_signal),
    same("s_barrier_signal_isfirst", barrier_signal_isfirst),
    same("s_barrier_wait", barrier_wait),
    // Nothing to wait for: memory is complete when its instruction is.
    same("s_waitcnt", run_nothing),
    same("s_waitcnt_vscnt", run_nothing),
    same("s_waitcnt_vmcnt", run_nothing),
    same("s_waitcnt_lgkmcnt", run_nothing),
    same("s_waitcnt_expcnt", run_nothing),
    same("s_waitcnt_depctr", run_nothing),
    same("s_wait_alu", run_nothing),
    same("s_wait_idle", run_nothing),
    same("s_wait_event", run_nothing),
    same("s_wait_loadcnt", run_nothing),
    same("s_wait_storecnt", run_nothing),
    same("s_wait_samplecnt", run_nothing),
    same("s_wait_bvhcnt", run_nothing),
    same("s_wait_expcnt", run_nothing),
    same("s_wait_dscnt", run_nothing),
    same("s_wait_kmcnt", run_nothing),
    same("s_wait_loadcnt_dscnt", run_nothing),
    same("s_wait_storecnt_dscnt", run_nothing),
    same("s_delay_alu", run_nothing),
    same("s_clause", run_nothing),
    same("s_nop", run_nothing),
    same("s_sleep", run_nothing),
    same("s_sleep_var", run_nothing),
    same("s_wakeup", run_nothing),
    same("s_version", run_nothing),
    same("s_singleuse_vdst", run_nothing),
    same("s_ttracedata", run_nothing),
    same("s_ttracedata_imm", run_nothing),
    same("s_prefetch_data", run_nothing),
    same("s_prefetch_data_pc_rel", run_nothing),
    same("s_prefetch_inst", run_nothing),
    same("s_prefetch_inst_pc_rel", run_nothing),
    same("s_buffer_prefetch_data", run_nothing),
    same("s_gl1_inv", run_nothing),
    same("v_nop", run_nothing),
    same("v_pipeflush", run_nothing),
    // Swaps the halves of a wave64; in wave32 the document calls it a no-op.
    same("v_permlane64_b32", run_nothing),
    same("s_sethalt", run_nothing),
    same("s_setprio", run_nothing),
    same("s_set_inst_prefetch_distance", run_nothing),
    same("s_icache_inv", run_nothing),
    same("s_dcache_inv", run_nothing),
    same("s_incperflevel", run_nothing),
    same("s_decperflevel", run_nothing),
    same("s_code_end", trap),
    // The only message a compute kernel sends is "deallocate VGPRs", before it ends.
    same("s_sendmsg", run_nothing),
    same("buffer_gl0_inv", run_nothing),
    same("buffer_gl1_inv", run_nothing),
    same("global_inv", run_nothing),
    same("global_wb", run_nothing),
    same("global_wbinv", run_nothing),
};

}  // namespace

void run_nothing(Wave&, const Op&) {}

std::span<const Row> branch_rows() { return kRows; }

}  // namespace w4::rdna
