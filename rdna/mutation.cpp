#include "rdna/mutation.h"

#include <algorithm>
#include <array>
#include <bit>

#include "rdna/branch_target.h"
#include "rdna/code_object.h"
#include "rdna/isa/dpp.h"
#include "rdna/mutation_rules.h"
#include "rdna/rows/machine_rows.h"

namespace w4::rdna {
namespace {

using Kind = MutationKind;

bool is_exec(const Operand& o) {
  return o.kind == OperandKind::sgpr && o.reg <= kExec && kExec < o.reg + o.words;
}

bool same_register(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.reg == b.reg &&
         (a.kind == OperandKind::vgpr || a.kind == OperandKind::sgpr);
}

// Changes of one plain instruction: a whole one, the plain op of a DPP form, a half of a VOPD form.
class Changes {
 public:
  struct One {
    Kind kind;
    std::string name;
    Op op;
    Variant::Way way = Variant::Way::as_op;
  };
  Changes(Program& program, const Op& op) : program_(program), op_(op), row_(program.row_of(op)) {
    if (row_ != nullptr) m_ = row_->mnemonic;
  }

  std::vector<One> all() {
    if (row_ == nullptr) return {};
    dropped();
    flow();
    addresses();
    constants();
    registers();
    renamed(Kind::operation, other_operation(m_));
    if (m_ == "v_cvt_f16_f32") cut_conversion();
    return std::move(out_);
  }

 private:
  Op& add(Kind kind, std::string name = {}, Variant::Way way = Variant::Way::as_op) {
    return out_.emplace_back(One{kind, std::move(name), op_, way}).op;
  }
  void renamed(Kind kind, const std::string& other) {
    const uint16_t row = other.empty() ? kNoRow : index_of_row(other);
    if (row != kNoRow) bind_row(add(kind), row);
  }
  void drop(Kind kind) { become_nothing(add(kind)); }

  void dropped() {
    if (m_.starts_with("s_barrier")) drop(Kind::drop_barrier);
    if (waits_for_loads(m_)) drop(Kind::drop_wait);
    if (only_stores(m_, op_.ndst)) drop(Kind::drop_store);
    if (sums(m_)) {
      bool own = op_.reads_dst;
      for (int i = 0; i < op_.nsrc; ++i) own |= same_register(op_.src[i], op_.dst[0]);
      if (own) drop(Kind::drop_sum);
    }
    const bool compares = m_.starts_with("v_cmp") || m_.starts_with("s_cmp");
    if (compares) drop(Kind::drop_compare);
    const bool saves = m_.ends_with("_saveexec_b32") || m_.ends_with("_wrexec_b32");
    if (!compares && (saves || (op_.ndst > 0 && is_exec(op_.dst[0])))) drop(Kind::drop_mask);
    renamed(Kind::invert_compare, opposite(m_));
    renamed(Kind::strict_compare, other_strictness(m_));
  }

  void flow() {
    if (!m_.starts_with("s_cbranch_")) return;
    if (branch_target(op_) > op_.pc) return renamed(Kind::invert_branch, opposite(m_));
    add(Kind::leave_loop, {}, Variant::Way::leave);
    add(Kind::repeat_loop, {}, Variant::Way::repeat);
  }

  void moved(Kind kind, int at, int64_t by) {
    const std::string_view which = at == 0 ? "" : at == 1 ? "1" : "2";
    add(kind, fmt::format("{}{:+}", which, by)).imm[at] += by;
  }

  void addresses() {
    if (m_ == "ds_swizzle_b32") {
      add(Kind::lanes, "^1").imm[0] ^= 1;
      add(Kind::lanes, "^8000").imm[0] ^= 0x8000;
      return;
    }
    const int step = address_step(m_);
    if (step == 0) return;
    if (m_.find("_2addr_") != m_.npos) {  // offsets of these count elements
      for (const int at : {0, 1}) {
        if (op_.imm[at] < 255) moved(Kind::offset, at, 1);
        if (op_.imm[at] > 0) moved(Kind::offset, at, -1);
      }
      return;
    }
    const bool lds = m_.starts_with("ds_");
    if (!lds || op_.imm[0] + step <= 0xffff) moved(Kind::offset, 0, step);
    if (!lds || op_.imm[0] >= step) moved(Kind::offset, 0, -step);
  }

  // Constant `value` for source i.
  void constant(Kind kind, int i, std::string how, uint32_t value) {
    Operand& o = add(kind, fmt::format("{}{}", i, how)).src[i];
    o.imm = value;
    o.row = program_.row(value);
  }
  void constants() {
    const auto is_constant = [](const Operand& o) { return o.kind == OperandKind::constant; };
    if (has_immediate(m_) && std::ranges::none_of(op_.src, is_constant)) {
      moved(Kind::immediate, 0, 1);
      moved(Kind::immediate, 0, -1);
    }
    for (int i = 0; i < op_.nsrc; ++i) {
      const Operand& o = op_.src[i];
      if (o.kind != OperandKind::constant || o.row == nullptr) continue;
      switch (use_of_constant(m_, i)) {
        case ConstantUse::lanes:
          constant(Kind::lanes, i, "^1", o.imm ^ 1);
          if (m_.starts_with("v_permlane"))  // of the last lane, whose sum a reduction takes
            constant(Kind::lanes, i, "^10000000", o.imm ^ 0x10000000);
          break;
        case ConstantUse::shift:
          constant(Kind::shift, i, "+1", o.imm + 1);
          if (o.imm != 0) constant(Kind::shift, i, "-1", o.imm - 1);
          break;
        case ConstantUse::number:
          constant(Kind::immediate, i, "+1", o.imm + 1);
          constant(Kind::immediate, i, "-1", o.imm - 1);
          if (m_ == "v_add3_u32" && o.imm == 0x7fff) constant(Kind::round_to_zero, i, ".zero", 0);
          break;
        case ConstantUse::mask: {
          // The ends of its runs of ones are what a mask is about.
          const int low = o.imm == 0 ? 0 : std::countr_zero(o.imm);
          const int high = o.imm == 0 ? 31 : 31 - std::countl_zero(o.imm);
          constant(Kind::immediate, i, fmt::format("^{}", low), o.imm ^ 1u << low);
          if (high != low)
            constant(Kind::immediate, i, fmt::format("^{}", high), o.imm ^ 1u << high);
          break;
        }
        case ConstantUse::half_float:  // magic numbers: the lowest bits carry the value
          constant(Kind::immediate, i, "^0", o.imm ^ 1);
          constant(Kind::immediate, i, "^15", o.imm ^ 0x8000);
          break;
        case ConstantUse::other:
          break;
      }
    }
  }

  void registers() {
    if (const auto pair = ordered_sources(m_)) {
      const auto [a, b] = *pair;
      if (a < op_.nsrc && b < op_.nsrc && !same_operand(op_.src[a], op_.src[b])) {
        Op& x = add(Kind::swap_sources);
        std::swap(x.src[a], x.src[b]);
      }
    }
    const bool packed = m_.starts_with("v_pk_") || m_.starts_with("v_dot2_") ||
                        m_.starts_with("v_fma_mix") || m_ == "v_pack_b32_f16";
    for (int i = 0; i < op_.nsrc; ++i) {
      const Operand& o = op_.src[i];
      if (o.kind == OperandKind::vgpr && o.reg + o.words < program_.vgprs()) {
        ++add(Kind::wrong_register, fmt::format("{}", i)).src[i].reg;
      }
      if (packed && o.kind == OperandKind::vgpr && i < 2) {
        add(Kind::half, fmt::format("{}", i)).src[i].mods ^= kOpSel0;
      }
    }
  }
  static bool same_operand(const Operand& a, const Operand& b) {
    return a.kind == b.kind && a.reg == b.reg && a.imm == b.imm && a.mods == b.mods;
  }

  // As v_cvt_pk_rtz does it, whose low half is this conversion's.
  void cut_conversion() {
    if (op_.src[0].mods & kDstOpSel) return;
    Op& x = add(Kind::round_to_zero);
    bind_row(x, index_of_row("v_cvt_pk_rtz_f16_f32"));
    Operand zero;
    zero.kind = OperandKind::constant;
    zero.row = program_.row(0);
    x.src[1] = zero;
    x.nsrc = 2;
    x.reads_dst = false;
  }

  static void bind_row(Op& op, uint16_t row) {
    op.run[0] = all_rows()[row]->run[0];
    op.run[1] = all_rows()[row]->run[1];
    op.mnemonic = row;
  }
  static void become_nothing(Op& op) {
    op.run[0] = op.run[1] = run_nothing;
    op.mnemonic = index_of_row("s_nop");
    op.ndst = op.nsrc = 0;
    op.reads_dst = false;
    for (Operand& o : op.dst) o = Operand();
    for (Operand& o : op.src) o = Operand();
  }

  Program& program_;
  const Op& op_;
  const Row* row_;
  std::string_view m_;
  std::vector<One> out_;
};

// DPP controls one lane on, where there is such a control of the same kind.
void other_lanes(Program& program, const Op& op, std::vector<Variant>& out) {
  const auto ctrl = static_cast<int>(op.imm[0]);
  if (ctrl < 0x100 || ctrl > 0x16f) return;  // quad_perm and dpp8: no step between neighbours
  for (const int step : {1, -1}) {
    const int next = ctrl + step;
    if (next >> 4 != ctrl >> 4 || dpp_source(next, 0) == -2) continue;
    Variant v{Kind::lanes, fmt::format("{:+}", step), op, {*op.second}, {}};
    v.op.imm[0] = next;
    Lanes map;
    for (int l = 0; l < kLanes; ++l) {
      const int s = dpp_source(next, l);
      map.v[l] = s < 0 ? 32u : static_cast<uint32_t>(s);
    }
    v.op.src[4].row = program.row(map);
    out.push_back(std::move(v));
  }
}

}  // namespace

std::vector<Variant> variants(Program& program, uint64_t pc) {
  const Op& op = program.resolve(program.index(pc));
  std::vector<Variant> out;
  if (op.second == nullptr) {
    for (Changes::One& c : Changes(program, op).all()) {
      out.push_back({c.kind, std::move(c.name), c.op, {}, c.way});
    }
  } else if (op.second->second == nullptr) {
    for (Changes::One& c : Changes(program, *op.second).all()) {
      // Its first source is the machine's own row of permuted lanes.
      if (c.kind == Kind::wrong_register && c.name == "0") continue;
      out.push_back({c.kind, std::move(c.name), op, {c.op}, {}});
    }
    other_lanes(program, op, out);
  } else {
    const Op &x = *op.second, &y = *x.second;
    for (const bool second : {false, true}) {
      for (Changes::One& c : Changes(program, second ? y : x).all()) {
        std::string name = second ? "y" : "x";
        if (!c.name.empty()) name += "." + c.name;
        out.push_back({c.kind, std::move(name), op, {second ? x : c.op, second ? c.op : y}, {}});
      }
    }
  }
  return out;
}

std::vector<Mutation> enumerate_mutations(Program& program, const std::string& symbol,
                                          std::span<const uint64_t> pcs) {
  std::vector<Mutation> out;
  for (const uint64_t pc : pcs) {
    for (const Variant& v : variants(program, pc)) {
      out.push_back({symbol, pc, v.kind, v.name});
    }
  }
  return out;
}

}  // namespace w4::rdna
