#include "rdna/listing.h"

#include <algorithm>
#include <map>

#include "rdna/code_object.h"
#include "rdna/program.h"
#include "rdna/reach.h"
#include "rdna/source_lines.h"

namespace w4::rdna {
namespace {

// Everything that control reaches from the entry, or has reached.
std::map<uint64_t, ListedInstruction> reachable(const KernelCounts& k) {
  const CodeObject::Impl& code = k.object->impl();
  const Descriptor& descriptor = code.descriptors[k.index];
  Program program(code, descriptor.vgprs());
  std::vector<uint64_t> todo{descriptor.entry};
  k.edges.each([&](uint64_t, uint64_t to, uint64_t) { todo.push_back(to); });
  std::map<uint64_t, ListedInstruction> out;
  for (const auto& [pc, r] : reach(program, std::move(todo))) {
    ListedInstruction& x = out[pc];
    x.pc = pc;
    x.size = r.op->size;
    x.control = r.control;
    x.target = r.target;
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
