#include "rdna/mutant.h"

#include <algorithm>

#include "rdna/rows/machine_rows.h"
#include "rdna/workgroup.h"

namespace w4::rdna {
namespace {

template <int T>
void run_mutant(Wave& w, const Op& op) {
  w.group->launch->mutant->run<T>(w, op);
}

bool reads(const Op& y, const Operand& x) {
  return std::ranges::any_of(y.src, [&](const Operand& o) {
    return x.kind == OperandKind::vgpr && o.kind == OperandKind::vgpr && o.reg <= x.reg &&
           x.reg < o.reg + o.words;
  });
}

}  // namespace

Mutant::~Mutant() {
  if (before_) program_->put(index_, *before_);
}

std::string Mutant::put_into(Program& program, const Mutation& m) {
  if (m.pc % 4 != 0 || program.code().code_at(m.pc).empty()) {
    return fmt::format("mutate: there is no code at {:#x} of {}", m.pc, m.symbol);
  }
  std::string legal;
  for (Variant& v : variants(program, m.pc)) {
    if (v.kind != m.kind || v.name != m.variant) {
      legal += fmt::format("{}{}{}{}", legal.empty() ? "" : " ", name_of(v.kind),
                           v.name.empty() ? "" : ":", v.name);
      continue;
    }
    op_ = std::move(v.op);
    way_ = v.way;
    for (const Op& inner : v.inner) inner_.push_back(inner);
    if (!inner_.empty()) op_.second = &inner_.front();
    if (inner_.size() == 2) {
      inner_[0].second = &inner_[1];
      const bool y_reads_x = reads(inner_[1], inner_[0].dst[0]);
      for (const Track t : {Track::off, Track::on})
        op_.run[static_cast<int>(t)] = run_dual(t, y_reads_x);
    }
    real_[0] = op_.run[0], real_[1] = op_.run[1];
    op_.run[0] = run_mutant<0>, op_.run[1] = run_mutant<1>;
    program_ = &program;
    index_ = program.index(m.pc);
    before_ = &program.put(index_, op_);
    return {};
  }
  const std::string text = program.code().text_at(m.pc);
  return fmt::format("mutate: '{}' at {:#x} has no {}{}{}; it has: {}", text, m.pc, name_of(m.kind),
                     m.variant.empty() ? "" : ":", m.variant, legal.empty() ? "none" : legal);
}

bool Mutant::first_of_wave(const Wave& w) {
  if (group_ != w.group->number || done_.size() != w.group->waves.size()) {
    group_ = w.group->number;
    done_.assign(w.group->waves.size(), false);
  }
  const auto id = static_cast<size_t>(w.id);
  if (done_[id]) return false;
  return done_[id] = true;
}

template <int T>
void Mutant::run(Wave& w, const Op& op) {
  ++runs_;
  const uint32_t falls_to = w.pc;  // the machine has moved it on
  real_[T](w, op);
  if (way_ == Variant::Way::as_op || w.state != WaveState::ready) return;
  const bool taken = w.pc == op.target;
  if (taken != (way_ == Variant::Way::leave) || !first_of_wave(w)) return;
  w.pc = taken ? falls_to : op.target;
}

template void Mutant::run<0>(Wave&, const Op&);
template void Mutant::run<1>(Wave&, const Op&);

}  // namespace w4::rdna
