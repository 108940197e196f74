#include "rdna/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "rdna/confirm.h"
#include "rdna/confirm_sources.h"
#include "rdna/source_lines.h"
#include "rdna/workgroup.h"

namespace w4::rdna {
namespace {

using Lines = std::vector<std::string>;

// "0x1a40 `v_mov_b32 v1, v2` at a.hip:12"
std::string place(const Wave& w, uint64_t pc) {
  const CodeObject::Impl& code = w.group->launch->program->code();
  const std::string line = innermost(code.source_at(pc));
  return fmt::format("{:#x} `{}`{}{}", pc, code.text_at(pc), line.empty() ? "" : " at ", line);
}

std::string hex(uint32_t value, uint32_t defined) {
  std::string out = fmt::format("0x{:08x}", value);
  for (size_t digit = 0; digit < 8; ++digit) {
    if ((defined >> (28 - 4 * digit) & 15) != 15) out[2 + digit] = '?';
  }
  return out;
}

// Without tracking nothing is known to be undefined.
uint32_t defined_bits(const Wave& w, int reg, int lane) {
  const Launch& launch = *w.group->launch;
  if (launch.confirm) return launch.confirm->defined_bits(w, reg, lane);
  return launch.track ? expand(w, reg, lane) : ~0u;
}
std::string scalar(const Wave& w, int reg) {
  return hex(w.s[reg], w.group->launch->track ? w.sdef[reg] : ~0u);
}

struct Named {
  std::set<int> vgprs, sgprs;  // without those that every trace shows
};

void add(Named& to, const Wave& w, const Operand& o) {
  for (int reg = o.reg; reg < o.reg + o.words; ++reg) {
    // An op that is Unsupported may name more than there is.
    if (o.kind == OperandKind::vgpr && reg < w.vgprs) to.vgprs.insert(reg);
    if (o.kind == OperandKind::sgpr && reg < kNull && reg / 2 != kVcc / 2) to.sgprs.insert(reg);
  }
}
void add(Named& to, const Wave& w, const Op& op) {
  // A dual op has the operands of its halves, a DPP form its own.
  if (op.second && op.second->second) {
    add(to, w, *op.second);
    add(to, w, *op.second->second);
    return;
  }
  for (int i = 0; i < op.nsrc; ++i) add(to, w, op.src[i]);
  for (int i = 0; i < op.ndst; ++i) add(to, w, op.dst[i]);
}

std::string scalar_name(int reg) {
  constexpr int kTtmp = 108;
  return reg < kTtmp ? fmt::format("s{}", reg) : fmt::format("ttmp{}", reg - kTtmp);
}

std::vector<int> shown_lanes(const Wave& w, uint32_t lanes, int lane) {
  std::vector<int> out;
  if (lane >= 0) {
    out.push_back(lane);
    lanes &= ~(1u << lane);
  } else if (lanes == 0) {
    lanes = w.exec();
  }
  for (; lanes && out.size() < Trace::kLanesShown; lanes &= lanes - 1)
    out.push_back(std::countr_zero(lanes));
  return out;
}

void add_vgprs(Lines& out, const Wave& w, const std::set<int>& regs,
               const std::vector<int>& lanes) {
  if (regs.empty() || lanes.empty()) return;
  std::string row = "        ";
  for (int l : lanes) row += fmt::format(" {:<11}", fmt::format("lane {}", l));
  out.push_back(row);
  for (int reg : regs) {
    row = fmt::format("  {:<6}", fmt::format("v{}", reg));
    for (int l : lanes) row += fmt::format(" {} ", hex(w.v[reg].v[l], defined_bits(w, reg, l)));
    out.push_back(row);
  }
}

void add_scalars(Lines& out, const Wave& w, const std::set<int>& regs) {
  std::string row;
  size_t in_row = 0;
  for (int reg : regs) {
    row += fmt::format("  {} {}", scalar_name(reg), scalar(w, reg));
    if (++in_row % 4 != 0) continue;
    out.push_back(std::exchange(row, ""));
  }
  if (!row.empty()) out.push_back(row);
  const bool scc_known = w.scc_def || !w.group->launch->track;
  out.push_back(fmt::format("  exec {}  vcc {}  scc {}  m0 {}  mode {:#x}", scalar(w, kExec),
                            scalar(w, kVcc), scc_known ? (w.scc ? "1" : "0") : "?", scalar(w, kM0),
                            w.mode()));
}

std::string_view doing(WaveState s) {
  switch (s) {
    case WaveState::ready:
    case WaveState::yielded:
      return "can go on after";
    case WaveState::at_barrier:
      return "waits at";
    case WaveState::done:
      return "ended at";
    case WaveState::stopped:
      break;
  }
  return "was stopped by a finding at";
}

}  // namespace

Lines Trace::of(const Wave& w, const Op& op, uint32_t lanes, int lane) const {
  const Ran& r = ran_[static_cast<size_t>(w.id)];
  const uint64_t kept = std::min<uint64_t>(r.count, kKept);
  Lines out{
      fmt::format("trace of workgroup {} wave {}: the last {} of {} instructions, oldest first",
                  w.group->number, w.id, kept, r.count)};
  for (uint64_t i = r.count - kept; i < r.count; ++i)
    out.push_back("  " + place(w, r.pc[i % kKept]));
  out.push_back(fmt::format("registers at {}", place(w, op.pc)));
  Named named;
  add(named, w, op);
  add_vgprs(out, w, named.vgprs, shown_lanes(w, lanes, lane));
  add_scalars(out, w, named.sgprs);
  return out;
}

Lines Trace::waves(const Wave& here) const {
  Lines out{fmt::format("waves of workgroup {}", here.group->number)};
  for (const Wave& w : here.group->waves) {
    const Ran& r = ran_[static_cast<size_t>(w.id)];
    // The one that the finding is reported for has been stopped by it.
    const WaveState state = &w == &here ? WaveState::at_barrier : w.state;
    out.push_back(r.count == 0 ? fmt::format("  wave {} has not begun", w.id)
                               : fmt::format("  wave {} {} {}", w.id, doing(state),
                                             place(w, r.pc[(r.count - 1) % kKept])));
  }
  return out;
}

}  // namespace w4::rdna
