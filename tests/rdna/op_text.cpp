#include "tests/rdna/op_text.h"

#include <fmt/format.h>

#include "rdna/table.h"
#include "rdna/wave.h"

namespace w4::rdna {
namespace {

std::string scalar_name(int reg, int words) {
  const bool pair = words == 2;
  if (reg == kVcc) return pair ? "vcc" : "vcc_lo";
  if (reg == kVcc + 1) return "vcc_hi";
  if (reg == kExec) return pair ? "exec" : "exec_lo";
  if (reg == kExec + 1) return "exec_hi";
  if (reg == kM0) return "m0";
  if (reg == kNull) return "null";
  const bool trap = reg >= 108;
  const std::string_view file = trap ? "ttmp" : "s";
  const int first = trap ? reg - 108 : reg;
  if (words == 1) return fmt::format("{}{}", file, first);
  return fmt::format("{}[{}:{}]", file, first, first + words - 1);
}

std::string name(const Operand& o) {
  switch (o.kind) {
    case OperandKind::none:
      return "off";
    case OperandKind::scc:
      return "scc";
    case OperandKind::constant:
      return o.words == 2 ? fmt::format("{:#x}:{:#x}", o.imm_hi, o.imm)
                          : fmt::format("{:#x}", o.imm);
    case OperandKind::vgpr:
      return o.words == 1 ? fmt::format("v{}", o.reg)
                          : fmt::format("v[{}:{}]", o.reg, o.reg + o.words - 1);
    case OperandKind::sgpr:
      return scalar_name(o.reg, o.words);
  }
  return "?";
}

std::string list(const Operand* o, int n) {
  std::string s;
  for (int i = 0; i < n; ++i) {
    s += (i ? ", " : "") + name(o[i]);
    if (o[i].mods) s += fmt::format("{{{}}}", o[i].mods);
  }
  return s;
}

std::string one(const Op& op) {
  const std::string_view m = op.mnemonic < all_rows().size() ? all_rows()[op.mnemonic]->mnemonic
                                                             : std::string_view("(no row)");
  std::string s = fmt::format("{} {} <- {}", m, list(op.dst, op.ndst), list(op.src, op.nsrc));
  if (op.clamp) s += " clamp";
  if (op.omod) s += fmt::format(" omod:{}", op.omod);
  return s;
}

}  // namespace

std::string op_text(const Op& op, int imms) {
  // The X op of a pair has the Y op behind it; the plain op of a DPP form has nothing.
  if (op.second && op.second->second) return one(*op.second) + " :: " + one(*op.second->second);
  std::string s = one(op);
  if (op.second)
    return s + fmt::format(" dpp:{:#x}/{}/{}/{}", op.imm[0], op.imm[1], op.imm[2], op.imm[3]);
  for (int i = 0; i < imms; ++i) s += fmt::format("{}{}", i ? "," : " #", op.imm[i]);
  return s;
}

}  // namespace w4::rdna
