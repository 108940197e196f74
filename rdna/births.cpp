// Where undefined values were born, in words.
#include <bit>

#include "rdna/access.h"
#include "rdna/confirm.h"

namespace w4::rdna {

uint32_t Confirm::intern(Kind kind, uint64_t where, uint64_t pc) {
  auto [it, fresh] = ids_.try_emplace({kind, where, pc}, static_cast<uint32_t>(origins_.size()));
  if (fresh) {
    origins_.push_back({kind, where, pc});
    if (kind == Kind::lds) origins_.back().gap = gap_at(where);
  }
  return it->second;
}

const Confirm::Gap& Confirm::gap_at(uint64_t byte) {
  if (auto it = gaps_.upper_bound(byte); it != gaps_.end() && it->second.first <= byte)
    return it->second;
  const auto written = [&](uint64_t b) { return lds_access_[b].store.wave >= 0; };
  Gap gap{byte, byte + 1};
  while (gap.first > 0 && !written(gap.first - 1)) --gap.first;
  while (gap.end < lds_access_.size() && !written(gap.end)) ++gap.end;
  if (gap.first > 0) gap.below_pc = lds_access_[gap.first - 1].store.pc;
  if (gap.end < lds_access_.size()) gap.above_pc = lds_access_[gap.end].store.pc;
  return gaps_[gap.end] = gap;
}

std::string Confirm::place(uint64_t pc) const {
  const CodeObject::Impl& code = launch_.program->code();
  const std::string line = code.source_at(pc);
  return fmt::format("`{}` at {}", code.text_at(pc),
                     line.empty() ? fmt::format("{:#x}", pc) : line);
}

// A short staging shows here: the store beside the gap is the one that should have gone on.
std::string Confirm::describe(uint64_t byte, const Gap& gap) const {
  std::string out = fmt::format("LDS byte {} was never written in this workgroup", byte);
  if (gap.first == 0 && gap.end == lds_access_.size()) return out + ", nor was any other";
  if (gap.end - gap.first > 1)
    out += fmt::format(", nor was any of bytes {} to {}", gap.first, gap.end - 1);
  if (gap.below_pc)
    out += fmt::format("; {} wrote as far as byte {}", place(gap.below_pc), gap.first - 1);
  if (gap.above_pc && gap.above_pc != gap.below_pc)
    out += fmt::format("; {} wrote from byte {} on", place(gap.above_pc), gap.end);
  return out;
}

std::string Confirm::birth_in_lds(const Op& op, uint64_t byte) {
  const uint32_t from = lds_[byte].origin;
  return describe(from ? from : intern(Kind::lds, byte, op.pc));
}

// " (hidden_hostcall_buffer, …)": which service of a runtime, that is not here, a kernel asks for.
std::string Confirm::hidden_argument(uint64_t offset) const {
  for (const ArgInfo& a : launch_.kernel->args) {
    if (!a.value_kind.starts_with("hidden_") || offset < a.offset || offset >= a.offset + a.size)
      continue;
    return fmt::format(" ({}{})", a.value_kind,
                       a.value_kind == "hidden_hostcall_buffer"
                           ? ": the device's printf, assert and the like, which are not emulated"
                           : "");
  }
  return "";
}

std::string Confirm::describe(uint32_t id) const {
  if (id == 0 || id >= origins_.size()) return "";
  const Origin& o = origins_[id];
  std::string what;
  switch (o.kind) {
    case Kind::vgpr:
      what = fmt::format("v{} was never written", o.where);
      break;
    case Kind::sgpr:
      what = fmt::format("s{} was never written", o.where);
      break;
    case Kind::scc:
      what = "SCC was never written";
      break;
    case Kind::lds:
      what = describe(o.where, o.gap);
      break;
    case Kind::scratch:
      what = fmt::format("scratch byte {} was never written", o.where);
      break;
    case Kind::global: {
      const Buffer* b = launch_.memory->find(o.where, 1);
      if (b == nullptr) {
        what = fmt::format("byte {:#x} was never written", o.where);
        break;
      }
      const uint64_t at = o.where - b->base;
      what = fmt::format("byte {} of {}{} was never written", at, b->name,
                         b->system ? hidden_argument(at) : "");
      break;
    }
    case Kind::inactive:
      what = fmt::format("lane {} got the value of an inactive lane", o.where);
      break;
    case Kind::here:
      what = "an undefined result";
      break;
  }
  if (o.pc == 0) return what;
  return fmt::format("{}; read by {}", what, place(o.pc));
}

Confirm::Birth Confirm::birth(const Wave& w, const Op& op, uint32_t lanes) {
  const auto of = [&](const Operand& o) -> uint32_t {
    if (o.kind == OperandKind::sgpr || o.kind == OperandKind::scc) {
      return o.kind == OperandKind::sgpr || !w.scc_def ? scalar_origin(w, o) : 0;
    }
    if (o.kind != OperandKind::vgpr) return 0;
    for (uint32_t m = lanes ? lanes : ~0u; m; m &= m - 1) {
      const int l = std::countr_zero(m);
      for (int k = 0; k < o.words; ++k) {
        const ExactRow& r = waves_[static_cast<size_t>(w.id)].v[static_cast<size_t>(o.reg + k)];
        if (r.bits[static_cast<size_t>(l)] != ~0u) return origin_of(w, o.reg + k, l);
      }
    }
    return 0;
  };
  const auto born = [&](uint32_t id) -> Birth {
    return {describe(id), id < origins_.size() && origins_[id].kind == Kind::inactive};
  };
  for (const Operand& o : op.src) {
    if (const uint32_t id = of(o)) return born(id);
  }
  if (op.reads_dst) {
    if (const uint32_t id = of(op.dst[0])) return born(id);
  }
  Operand vcc;
  vcc.kind = OperandKind::sgpr;
  vcc.reg = kVcc;
  Operand scc;
  scc.kind = OperandKind::scc;
  const Row* row = launch_.program->row_of(op);
  const bool by_vcc = row && row->mnemonic.find("vcc") != std::string_view::npos;
  return born(of(by_vcc ? vcc : scc));
}

}  // namespace w4::rdna
