#include "core/finding.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace w4 {
namespace {

using K = FindingKind;
constexpr std::array<std::pair<FindingKind, std::string_view>, 21> kKinds{
    {{K::oob_read, "oob_read"},
     {K::oob_write, "oob_write"},
     {K::read_only_write, "read_only_write"},
     {K::lds_oob, "lds_oob"},
     {K::lds_race, "lds_race"},
     {K::global_race, "global_race"},
     {K::undefined_address, "undefined_address"},
     {K::undefined_branch, "undefined_branch"},
     {K::undefined_exec, "undefined_exec"},
     {K::undefined_store, "undefined_store"},
     {K::barrier_divergence, "barrier_divergence"},
     {K::deadlock, "deadlock"},
     {K::misaligned, "misaligned"},
     {K::inactive_lane, "inactive_lane"},
     {K::wmma_replication, "wmma_replication"},
     {K::limit, "limit"},
     {K::wait_counter, "wait_counter"},
     {K::double_write, "double_write"},
     {K::unwritten_output, "unwritten_output"},
     {K::input_modified, "input_modified"},
     {K::device_fault, "device_fault"}}};

void append(std::string& out, std::string_view label, const Party& p) {
  out += fmt::format("\n  {}:", label);
  if (p.workgroup >= 0) out += fmt::format(" workgroup {}", p.workgroup);
  if (p.wave >= 0) out += fmt::format(" wave {}", p.wave);
  if (p.lane >= 0) out += fmt::format(" lane {}", p.lane);
  if (p.pc != 0) out += fmt::format(" pc {:#x}", p.pc);
  if (!p.instruction.empty()) out += fmt::format(" `{}`", p.instruction);
  if (!p.source.empty()) out += fmt::format(" at {}", p.source);
}

bool known(const Party& p) {
  return p.workgroup >= 0 || p.wave >= 0 || p.lane >= 0 || p.pc != 0 || !p.instruction.empty() ||
         !p.source.empty();
}

}  // namespace

std::string_view name_of(FindingKind k) {
  for (const auto& [kind, name] : kKinds) {
    if (kind == k) return name;
  }
  std::abort();  // not a value of the enum
}

std::optional<FindingKind> finding_kind_from(std::string_view name) {
  for (const auto& [kind, text] : kKinds) {
    if (text == name) return kind;
  }
  return std::nullopt;
}

std::string trace_text(const std::vector<std::string>& trace) {
  std::string out;
  for (const std::string& line : trace) out += "\n  " + line;
  return out;
}

std::string to_string(const Finding& f) {
  std::string out{name_of(f.kind)};
  if (!f.kernel.empty()) out += fmt::format(" in {}", f.kernel);
  if (!f.detail.empty()) out += fmt::format(": {}", f.detail);
  if (!f.buffer.empty() || f.offset >= 0 || f.bytes > 0) {
    out += fmt::format("\n  where: {}", f.buffer.empty() ? "memory" : f.buffer);
    if (f.offset >= 0) out += fmt::format(" byte {}", f.offset);
    if (f.bytes > 0) out += fmt::format(", {} bytes wide", f.bytes);
  }
  if (known(f.at)) append(out, "by", f.at);
  if (f.other) append(out, "earlier", *f.other);
  if (!f.born.empty()) out += fmt::format("\n  undefined since: {}", f.born);
  return out + trace_text(f.trace);
}

}  // namespace w4
