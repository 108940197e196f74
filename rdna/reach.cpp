#include "rdna/reach.h"

#include <algorithm>

#include "rdna/branch_target.h"
#include "rdna/code_object.h"
#include "rdna/inventory.h"

namespace w4::rdna {
namespace {

Control control_of(const Row* row) {
  if (row == nullptr) return Control::end;  // Unsupported
  const std::string_view m = row->mnemonic;
  if (m.starts_with("s_cbranch_")) return Control::conditional;
  if (m == "s_branch") return Control::jump;
  if (m == "s_call_b64") return Control::call;
  if (m == "s_setpc_b64") return Control::indirect;
  if (m == "s_swappc_b64") return Control::indirect_call;
  if (m == "s_endpgm" || m == "s_trap" || m == "s_code_end") return Control::end;
  return Control::straight;
}

bool goes_on(Control c) {
  return c == Control::straight || c == Control::conditional || c == Control::call ||
         c == Control::indirect_call;
}

}  // namespace

std::map<uint64_t, Reached> reach(Program& program, std::vector<uint64_t> from) {
  std::map<uint64_t, Reached> out;
  while (!from.empty()) {
    const uint64_t pc = from.back();
    from.pop_back();
    const auto [it, fresh] = out.try_emplace(pc);
    if (!fresh) continue;
    Reached& x = it->second;
    x.op = &program.resolve(program.index(pc));
    x.row = program.row_of(*x.op);
    x.control = control_of(x.row);
    if (goes_on(x.control)) from.push_back(pc + x.op->size);
    if (x.control == Control::conditional || x.control == Control::jump ||
        x.control == Control::call) {
      x.target = branch_target(*x.op);
      from.push_back(x.target);
    }
  }
  return out;
}

Inventory take_inventory(const CodeObject& object, size_t kernel) {
  const CodeObject::Impl& code = object.impl();
  const Descriptor& descriptor = code.descriptors[kernel];
  Program program(code, descriptor.vgprs());
  Inventory out;
  const auto mix = [&out](uint64_t byte) { out.bytes = (out.bytes ^ byte) * 0x100000001b3; };
  for (const auto& [pc, x] : reach(program, {descriptor.entry})) {
    ++out.instructions;
    mix(pc - descriptor.entry);
    const auto at = code.code_at(pc);
    for (const std::byte b : at.first(std::min<size_t>(x.op->size, at.size())))
      mix(static_cast<uint64_t>(b));
    if (x.row == nullptr) {
      out.unknown.push_back(code.text_at(pc));
      continue;
    }
    ++out.count[std::string(x.row->mnemonic)];
    // VOPD: the op runs its X half, which leads to the Y half. A DPP form leads to its plain op
    // only.
    const Op* x_half = x.op->second;
    if (x_half != nullptr && x_half->second != nullptr) {
      ++out.count[std::string(program.row_of(*x_half->second)->mnemonic)];
    }
  }
  return out;
}

}  // namespace w4::rdna
