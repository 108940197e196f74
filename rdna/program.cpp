#include "rdna/program.h"

#include <algorithm>
#include <atomic>

#include "rdna/rows/machine_rows.h"
#include "rdna/workgroup.h"

namespace w4::rdna {
namespace {

constexpr int kMaxHints = 64;  // in a row: more is hostile code

uint64_t next_id() {
  static std::atomic<uint64_t> next{1};
  return next++;
}

// Stands where nothing is decoded yet: decodes, then runs what it found.
template <int T>
void run_pending(Wave& w, const Op& op) {
  const Op& real = w.group->launch->program->resolve(static_cast<uint32_t>(op.imm[0]));
  w.pc = real.next;
  real.run[T](w, real);
}

}  // namespace

Program::Program(const CodeObject::Impl& code, int vgprs, bool keep_hints)
    : id_(next_id()), code_(code), vgprs_(vgprs), keep_hints_(keep_hints) {}

bool Program::pending(uint32_t index) const { return at_[index]->run[0] == run_pending<0>; }

uint32_t Program::index(uint64_t pc) {
  auto [it, fresh] = index_of_.try_emplace(pc, static_cast<uint32_t>(at_.size()));
  if (fresh) {
    Op stub;
    stub.run[0] = run_pending<0>;
    stub.run[1] = run_pending<1>;
    stub.pc = pc;
    stub.imm[0] = it->second;
    at_.push_back(&keep(stub));
  }
  return it->second;
}

// Follows `i` over waits and hints, so that they cost nothing when the code runs. Only SOPP words
// (0xbf80 to 0xbfff in the upper half) are looked at: everything else stays undecoded.
uint32_t Program::after_hints(uint32_t i) {
  for (int n = 0; n < kMaxHints && !keep_hints_; ++n) {
    if (i >= at_.size()) return i;
    if (pending(i)) {
      const std::span<const std::byte> code = code_.code_at(at_[i]->pc);
      if (code.size() < 4 || code[3] != std::byte{0xbf} ||
          (code[2] & std::byte{0x80}) == std::byte{0})
        return i;
      const Op op = decode(*this, at_[i]->pc);
      if (op.run[0] != run_nothing) return i;
      at_[i] = &keep(op);
    }
    if (at_[i]->run[0] != run_nothing) return i;
    i = at_[i]->next;
  }
  return i;
}

const Op& Program::resolve(uint32_t i) {
  if (pending(i)) {
    Op op = decode(*this, at_[i]->pc);
    op.next = after_hints(op.next);
    op.target = after_hints(op.target);
    at_[i] = &keep(op);
  }
  return *at_[i];
}

const Op& Program::put(uint32_t i, const Op& op) {
  const Op& before = resolve(i);
  at_[i] = &op;
  id_ = next_id();
  return before;
}

const Row* Program::row_of(const Op& op) const {
  return op.mnemonic < all_rows().size() ? all_rows()[op.mnemonic] : nullptr;
}

const Lanes* Program::row(uint32_t value) {
  auto [it, fresh] = row_of_value_.try_emplace(value, nullptr);
  if (fresh) {
    Lanes& r = rows_.emplace_back();
    for (uint32_t& x : r.v) x = value;
    it->second = &r;
  }
  return it->second;
}

const Lanes* Program::row(const Lanes& lanes) { return &rows_.emplace_back(lanes); }
Op& Program::keep(const Op& op) { return ops_.emplace_back(op); }

void Program::note(std::string_view inexact) {
  if (std::ranges::find(inexact_, inexact) == inexact_.end()) inexact_.emplace_back(inexact);
}

Program& Program::twin(size_t thread) {
  if (twins_.size() <= thread) twins_.resize(thread + 1);
  if (!twins_[thread]) twins_[thread] = std::make_unique<Program>(code_, vgprs_, keep_hints_);
  return *twins_[thread];
}

}  // namespace w4::rdna
