#include "rdna/listing.h"

#include <algorithm>
#include <map>

#include "rdna/branch_target.h"
#include "rdna/code_object.h"
#include "rdna/program.h"
#include "rdna/source_lines.h"

namespace w4::rdna {
namespace {

using Control = ListedInstruction::Control;

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

// Everything that control reaches from the entry, or has reached.
std::map<uint64_t, ListedInstruction> reachable(const KernelCounts& k) {
  const CodeObject::Impl& code = k.object->impl();
  const Descriptor& descriptor = code.descriptors[k.index];
  Program program(code, descriptor.vgprs());
  std::vector<uint64_t> todo{descriptor.entry};
  k.edges.each([&](uint64_t, uint64_t to, uint64_t) { todo.push_back(to); });
  std::map<uint64_t, ListedInstruction> out;
  while (!todo.empty()) {
    const uint64_t pc = todo.back();
    todo.pop_back();
    const auto [it, fresh] = out.try_emplace(pc);
    if (!fresh) continue;
    const Op& op = program.resolve(program.index(pc));
    ListedInstruction& x = it->second;
    x.pc = pc;
    x.size = op.size;
    x.control = control_of(program.row_of(op));
    if (goes_on(x.control)) todo.push_back(pc + x.size);
    if (x.control == Control::conditional || x.control == Control::jump ||
        x.control == Control::call) {
      x.target = branch_target(op);
      todo.push_back(x.target);
    }
  }
  return out;
}

void count_edges(Listing& l, const ListedInstruction& x, const EdgeCounts& edges) {
  const auto add = [&](uint64_t n) {
    ++l.edges;
    l.edges_run += n != 0;
  };
  if (x.control == Control::conditional) {
    add(x.taken);
    add(x.fell);
  } else if (x.control == Control::jump || x.control == Control::call) {
    add(edges.of(x.pc, x.target));
  }
}

}  // namespace

Listing list_code(const KernelCounts& k) {
  const CodeObject::Impl& code = k.object->impl();
  std::map<uint64_t, ListedInstruction> all = reachable(k);
  k.edges.each([&](uint64_t, uint64_t to, uint64_t n) { all[to].count += n; });
  all[code.descriptors[k.index].entry].count += k.waves;
  Listing l;
  const ListedInstruction* before = nullptr;
  for (auto& [pc, x] : all) {
    if (before != nullptr && before->control == Control::straight &&
        before->pc + before->size == pc) {
      x.count += before->count;
    }
    x.text = code.text_at(pc);
    x.source = innermost(code.source_at(pc));
    if (x.control == Control::conditional) {
      x.taken = k.edges.of(pc, x.target);
      x.fell = k.edges.of(pc, pc + x.size);
    }
    count_edges(l, x, k.edges);
    ++l.instructions;
    l.instructions_run += x.count != 0;
    before = &x;
  }
  for (auto& [pc, x] : all) l.code.push_back(std::move(x));
  return l;
}

}  // namespace w4::rdna
