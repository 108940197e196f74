// One MCInst to one Op. The shapes were read off LLVM 19's operand lists; rdna.md "Decoding" lists
// the pitfalls, op.h what is made uniform here.
#include <bit>
#include <optional>
#include <string_view>

#include "llvm/MC/MCInstrDesc.h"
#include "rdna/branch_target.h"
#include "rdna/isa/dpp.h"
#include "rdna/program.h"
#include "rdna/rows/buffer_address.h"
#include "rdna/rows/machine_rows.h"
#include "rdna/workgroup.h"

namespace w4::rdna {
namespace {

int64_t sign_extend(int64_t x, int bits) {
  const uint64_t m = uint64_t{1} << (bits - 1);
  const uint64_t v = static_cast<uint64_t>(x) & ((m << 1) - 1);
  return static_cast<int64_t>((v ^ m) - m);
}

bool contains(std::string_view s, std::string_view part) { return s.find(part) != s.npos; }

std::string plain_mnemonic(std::string m) {
  for (std::string_view suffix : {"_e64_dpp", "_e32_dpp", "_e32", "_e64", "_dpp", "_sdwa"}) {
    if (m.ends_with(suffix)) {
      m.resize(m.size() - suffix.size());
      break;
    }
  }
  return m;
}

Operand sgpr_operand(int reg, int words = 1) {
  Operand o;
  o.kind = OperandKind::sgpr;
  o.reg = static_cast<uint16_t>(reg);
  o.words = static_cast<uint8_t>(words);
  return o;
}

class Decoder {
 public:
  Decoder(Program& program, uint64_t pc) : program_(program), mc_(*program.code().mc), pc_(pc) {
    op_.pc = pc;
  }

  Op run() {
    const std::span<const std::byte> code = program_.code().code_at(pc_);
    if (pc_ % 4 != 0 || code.empty()) return stop("control left the code of the object");
    d_ = mc_.decode(code.first(std::min<size_t>(code.size(), 20)), pc_);
    if (d_.size == 0) return stop("these bytes are not an instruction");
    op_.size = static_cast<uint8_t>(d_.size);
    name_ = mc_.opcode_name(d_);
    text_ = mc_.text(d_, pc_);
    mnemonic_ = plain_mnemonic(mc_.mnemonic(d_));
    if (mnemonic_.starts_with("v_dual_")) return decode_dual();
    const bool dpp = contains(name_, "_dpp");
    if (!read_operands(dpp)) return stop(why_);
    name_implicit_registers();
    if (!interpret_immediates()) return stop(why_);
    if (!registers_exist(op_)) return stop(why_);
    const uint16_t row = index_of_row(mnemonic_);
    if (row == kNoRow) return stop("this instruction is not implemented");
    bind(op_, row);
    if (dpp) return wrap_dpp();
    return finish(op_);
  }

 private:
  Op finish(Op op) {
    op.next = program_.index(pc_ + d_.size);
    return op;
  }

  // An op that ends the launch as Unsupported when it runs.
  Op stop(std::string_view why) {
    Op op;
    op.pc = pc_;
    op.size = static_cast<uint8_t>(d_.size);
    op.run[0] = op.run[1] = run_unsupported(why);
    op.mnemonic = kNoRow;
    return op;
  }

  void bind(Op& op, uint16_t row) {
    const Row& r = *all_rows()[row];
    op.run[0] = r.run[0];
    op.run[1] = r.run[1];
    op.mnemonic = row;
    if (r.evidence != Evidence::ieee) program_.note(r.mnemonic);
  }

  // LLVM decodes an inline constant of a 256-bit operand of gfx11 as a double: back to the
  // element's type.
  int64_t matrix_constant(int64_t v) const {
    if (v >= INT32_MIN && v <= UINT32_MAX) return v;
    const auto x = static_cast<float>(std::bit_cast<double>(v));
    if (mnemonic_.starts_with("v_wmma_f16"))
      return std::bit_cast<uint16_t>(static_cast<_Float16>(x));
    const auto bits = std::bit_cast<uint32_t>(x);
    // 1/(2 pi), the only one that does not fit, is cut.
    return mnemonic_.starts_with("v_wmma_bf16") ? bits >> 16 : bits;
  }

  // LLVM decodes a float inline constant of a unary scalar fp16 source as fp32: back to fp16. Which
  // half the one that reads the high half would see is not documented.
  std::optional<int64_t> scalar_half_constant(int64_t v) {
    const bool is_inline_float = d_.size == 4 && v > 64;
    if (!is_inline_float) return v;
    if (mnemonic_ == "s_cvt_hi_f32_f16") {
      why_ = "the high half of an inline constant";
      return std::nullopt;
    }
    const auto x = static_cast<_Float16>(std::bit_cast<float>(static_cast<uint32_t>(v)));
    return std::bit_cast<uint16_t>(x);
  }
  bool unary_scalar_half() const {
    return mnemonic_ == "s_ceil_f16" || mnemonic_ == "s_floor_f16" || mnemonic_ == "s_trunc_f16" ||
           mnemonic_ == "s_rndne_f16" || mnemonic_ == "s_cvt_f32_f16" ||
           mnemonic_ == "s_cvt_hi_f32_f16";
  }

  std::optional<Operand> operand(const llvm::MCOperand& in, const llvm::MCOperandInfo& info,
                                 uint8_t mods) {
    Operand o;
    o.mods = mods;
    if (in.isImm()) {
      int64_t v = in.getImm();
      o.kind = OperandKind::constant;
      if (is_64bit_source(info.OperandType)) {
        o.words = 2;
        // Inline constants arrive sign-extended, literals zero-extended; signed ones must be too.
        if (v > INT32_MAX && v <= UINT32_MAX && contains(mnemonic_, "_i64"))
          v = static_cast<int32_t>(v);
      }
      if (mnemonic_.starts_with("v_wmma_")) v = matrix_constant(v);
      if (unary_scalar_half()) {
        const auto half = scalar_half_constant(v);
        if (!half) return std::nullopt;
        v = *half;
      }
      o.imm = static_cast<uint32_t>(v);
      o.imm_hi = static_cast<uint32_t>(static_cast<uint64_t>(v) >> 32);
      o.row = program_.row(o.imm);
      return o;
    }
    if (!in.isReg()) {
      why_ = "an operand is neither register nor constant";
      return std::nullopt;
    }
    const unsigned e = in.getReg() ? mc_.encoding(in.getReg()) : unsigned{kNull};
    const unsigned reg = e & 0xff;
    o.words = static_cast<uint8_t>(mc_.words(info.RegClass));
    if (e & 0x100) {
      o.kind = OperandKind::vgpr;
      o.reg = static_cast<uint16_t>(reg);
      return o;
    }
    if (reg < kSgprs) {
      o.kind = OperandKind::sgpr;
      o.reg = static_cast<uint16_t>(reg);
      return o;
    }
    if (reg == 253) {
      o.kind = OperandKind::scc;
      return o;
    }
    if ((reg == 235 || reg == 237) && o.words == 2) {  // src_shared_base, src_private_base
      o.kind = OperandKind::constant;
      o.imm = 0;
      o.imm_hi = reg == 235 ? kSharedApertureHi : kPrivateApertureHi;
      o.row = program_.row(0);
      return o;
    }
    why_ = "a special source register is not implemented";
    return std::nullopt;
  }

  bool read_operands(bool dpp) {
    const llvm::MCInstrDesc& desc = mc_.desc(d_);
    const unsigned n = d_.inst.getNumOperands();
    if (n > desc.getNumOperands() && n > desc.operands().size()) {
      why_ = "more operands than its description";
      return false;
    }
    const unsigned defs = desc.getNumDefs();
    uint8_t mods = 0;
    for (unsigned i = 0; i < n; ++i) {
      const llvm::MCOperand& in = d_.inst.getOperand(i);
      const llvm::MCOperandInfo& info = desc.operands()[i];
      const int type = info.OperandType;
      if (i >= defs && type == kOperandMods) {
        mods = static_cast<uint8_t>(in.getImm());
        continue;
      }
      if (i >= defs && (type == 0 || type == 1 || type == 4 || type == kOperandSplitBarrier) &&
          in.isImm()) {
        imms_.push_back(in.getImm());
        continue;
      }
      if (i >= defs && desc.getOperandConstraint(i, llvm::MCOI::TIED_TO) >= 0) {
        // "old" of a DPP form is the destination of the lanes that do not take part: no read.
        if (!(dpp && i == defs)) op_.reads_dst = true;
        mods = 0;
        continue;
      }
      auto o = operand(in, info, mods);
      if (!o) return false;
      if (i < defs) {
        if (op_.ndst == 2) {
          why_ = "more than two destinations";
          return false;
        }
        op_.dst[op_.ndst++] = *o;
        continue;
      }
      mods = 0;
      if (op_.nsrc == 5) {
        why_ = "more than five sources";
        return false;
      }
      op_.src[op_.nsrc++] = *o;
    }
    if (contains(text_, " clamp")) op_.clamp = true;
    if (contains(text_, " mul:2")) op_.omod = 1;
    if (contains(text_, " mul:4")) op_.omod = 2;
    if (contains(text_, " div:2")) op_.omod = 3;
    return true;
  }

  void name_implicit_registers() {
    if (mnemonic_.starts_with("v_movreld_") && op_.ndst == 0 && op_.nsrc == 2) {
      // LLVM lists the base of the destination as a source, because M0 chooses the register.
      op_.dst[op_.ndst++] = op_.src[0];
      op_.src[0] = op_.src[1];
      op_.src[1] = Operand();
      op_.nsrc = 1;
    }
    if (mnemonic_.starts_with("v_cmpx_") && op_.ndst == 0) {
      op_.dst[op_.ndst++] = sgpr_operand(kExec);
    } else if (mnemonic_.starts_with("v_cmp_") && op_.ndst == 0) {
      op_.dst[op_.ndst++] = sgpr_operand(kVcc);
    } else if (mnemonic_.starts_with("v_cndmask_") && op_.nsrc == 2) {
      op_.src[op_.nsrc++] = sgpr_operand(kVcc);
    } else if (mnemonic_.starts_with("v_") && contains(mnemonic_, "_co_ci_u32")) {
      if (op_.ndst == 1) op_.dst[op_.ndst++] = sgpr_operand(kVcc);
      if (op_.nsrc == 2) op_.src[op_.nsrc++] = sgpr_operand(kVcc);
    } else if ((mnemonic_.starts_with("v_dot2acc_") || mnemonic_.starts_with("v_pk_fmac_")) &&
               !contains(name_, "e64")) {
      for (int i = 0; i < op_.nsrc; ++i) op_.src[i].mods |= kOpSel1;
    }
  }

  int64_t imm(size_t i) const { return i < imms_.size() ? imms_[i] : 0; }

  bool interpret_immediates() {
    const int major = program_.code().major;
    const std::string_view m = mnemonic_;
    for (size_t i = 0; i < 4 && i < imms_.size(); ++i) op_.imm[i] = imms_[i];
    if (m.starts_with("global_") || m.starts_with("flat_") || m.starts_with("scratch_")) {
      op_.imm[0] = sign_extend(imm(0), major == 12 ? 24 : 13);
      return order_vmem_sources();
    }
    if (m.starts_with("buffer_") && !m.ends_with("_inv")) return order_buffer_sources();
    if (m.starts_with("s_load_") || m.starts_with("s_buffer_load_")) {
      // base, optional SGPR offset; the immediate offset is there unless cache policy stands alone.
      const bool no_offset = op_.nsrc == 2 && imms_.size() == 1;
      op_.imm[0] = no_offset ? 0 : sign_extend(imm(0), major == 12 ? 24 : 21);
      return true;
    }
    if (m.starts_with("s_cbranch_") || m == "s_branch" || m == "s_call_b64") {
      op_.target = program_.index(branch_target(op_));
      return true;
    }
    if (m.starts_with("s_") && !contains(m, "reg") && !contains(m, "buffer")) {
      op_.imm[0] = sign_extend(imm(0), 16);
      return true;
    }
    return true;
  }

  // Vector memory: src[0] address (vgpr or none), src[1] scalar base (or none), src[2] data.
  bool order_vmem_sources() {
    Operand address, scalar, data;
    std::vector<Operand> vectors;
    for (int i = 0; i < op_.nsrc; ++i) {
      if (op_.src[i].kind == OperandKind::vgpr) {
        vectors.push_back(op_.src[i]);
      } else if (op_.src[i].kind == OperandKind::sgpr) {
        if (op_.src[i].reg != kNull) scalar = op_.src[i];
      } else {
        why_ = "a memory operand is not a register";
        return false;
      }
    }
    const bool scratch = mnemonic_.starts_with("scratch_");
    if (scratch && contains(mnemonic_, "store")) {  // data first; the address may be absent
      if (!vectors.empty()) data = vectors[0];
      if (vectors.size() > 1) address = vectors[1];
    } else {
      if (!vectors.empty()) address = vectors[0];
      if (vectors.size() > 1) data = vectors[1];
    }
    op_.src[0] = address;
    op_.src[1] = scalar;
    op_.src[2] = data;
    op_.nsrc = 3;
    return true;
  }

  // Buffer forms: src[0] index and offset VGPRs (or none), src[1] the resource, src[2] data, src[3]
  // the scalar offset; imm[0] offset, imm[1] cache policy, imm[2] which VGPRs there are.
  bool order_buffer_sources() {
    if (contains(text_, " tfe") || contains(mnemonic_, "_lds_")) {
      why_ = "tfe and lds forms of buffer instructions are not implemented";
      return false;
    }
    int at = 0;
    Operand address, data;
    const bool loads = mnemonic_.starts_with("buffer_load_");
    if (op_.reads_dst && !loads) {  // an atomic that returns: one register for both ways
      data = op_.dst[0];
      op_.reads_dst = false;
    } else if (!loads && op_.nsrc > 0) {
      data = op_.src[at++];
    }
    if (op_.src[at].kind == OperandKind::vgpr) address = op_.src[at++];
    if (op_.nsrc != at + 2) {
      why_ = "its operands have an unexpected shape";
      return false;
    }
    const Operand resource = op_.src[at], offset = op_.src[at + 1];
    op_.src[0] = address;
    op_.src[1] = resource;
    op_.src[2] = data;
    op_.src[3] = offset;
    op_.nsrc = 4;
    const bool both = contains(name_, "_BOTHEN");
    op_.imm[2] = (both || contains(name_, "_OFFEN") ? kOffen : 0) |
                 (both || contains(name_, "_IDXEN") ? kIdxen : 0);
    return true;
  }

  bool exists(const Operand& o) {
    if (o.kind == OperandKind::vgpr && o.reg + o.words > program_.vgprs()) {
      why_ = "it names a VGPR above those of the kernel's descriptor";
      return false;
    }
    if (o.kind == OperandKind::sgpr && o.reg != kNull && o.reg + o.words > kSgprs) {
      why_ = "it names an SGPR that does not exist";
      return false;
    }
    return true;
  }
  bool registers_exist(const Op& op) {
    for (const Operand& o : op.dst) {
      if (!exists(o)) return false;
    }
    for (const Operand& o : op.src) {
      if (!exists(o)) return false;
    }
    return true;
  }

  Op wrap_dpp() {
    if (op_.src[0].kind != OperandKind::vgpr) return stop("DPP source is not a VGPR");
    const bool dpp8 = contains(name_, "_dpp8");
    const size_t fields = dpp8 ? 2 : 5;
    if (imms_.size() < fields) return stop("a DPP form without its controls");
    const int64_t* c = imms_.data() + (imms_.size() - fields);
    Op plain = op_;
    for (int64_t& i : plain.imm) i = 0;
    plain.next = 0;
    Op outer = op_;
    Lanes map;
    if (dpp8) {
      outer.imm[0] = c[0];
      outer.imm[1] = outer.imm[2] = 0xf;
      const bool fi = c[1] == 1 || c[1] == 0xea;
      outer.imm[3] = 1 | (fi ? 2 : 0);
      for (int l = 0; l < kLanes; ++l)
        map.v[l] = static_cast<uint32_t>(dpp8_source(static_cast<uint32_t>(c[0]), l));
    } else {
      for (int i = 0; i < 3; ++i) outer.imm[i] = c[i];
      outer.imm[3] = (c[3] ? 1 : 0) | (c[4] ? 2 : 0);
      for (int l = 0; l < kLanes; ++l) {
        const int s = dpp_source(static_cast<int>(c[0]), l);
        if (s == -2) return stop("this DPP control is not implemented");
        map.v[l] = s < 0 ? 32u : static_cast<uint32_t>(s);
      }
    }
    // The lane map rides on an operand slot that no VALU instruction with DPP uses.
    outer.src[4].row = program_.row(map);
    plain.src[0].reg = static_cast<uint16_t>(program_.vgprs());
    outer.second = &program_.keep(plain);
    outer.run[0] = run_dpp(Track::off);
    outer.run[1] = run_dpp(Track::on);
    return finish(outer);
  }

  // VOPD: destinations X, Y, then X's sources, then Y's. The two mnemonics are only in the text.
  Op decode_dual() {
    const size_t middle = text_.find(" :: ");
    if (middle == text_.npos) return stop("a VOPD form without its second half");
    const auto first_word = [](std::string_view s) { return s.substr(0, s.find_first_of(" \t")); };
    const std::string_view all = text_;
    const std::string names[2] = {
        plain_mnemonic("v_" + std::string(first_word(all).substr(7))),
        plain_mnemonic("v_" + std::string(first_word(all.substr(middle + 4)).substr(7)))};
    const llvm::MCInstrDesc& desc = mc_.desc(d_);
    unsigned next = 2;
    Op half[2];
    for (int h = 0; h < 2; ++h) {
      mnemonic_ = names[h];
      op_ = Op();
      op_.pc = pc_;
      op_.size = static_cast<uint8_t>(d_.size);
      auto dst = operand(d_.inst.getOperand(static_cast<unsigned>(h)),
                         desc.operands()[static_cast<unsigned>(h)], 0);
      if (!dst) return stop(why_);
      op_.dst[op_.ndst++] = *dst;
      const bool three = names[h] == "v_fmaak_f32" || names[h] == "v_fmamk_f32";
      const int sources = names[h] == "v_mov_b32" ? 1 : three ? 3 : 2;
      for (int i = 0; i < sources; ++i, ++next) {
        if (next >= d_.inst.getNumOperands()) return stop("a VOPD form with too few operands");
        auto o = operand(d_.inst.getOperand(next), desc.operands()[next], 0);
        if (!o) return stop(why_);
        op_.src[op_.nsrc++] = *o;
      }
      if (next < d_.inst.getNumOperands() &&
          desc.getOperandConstraint(next, llvm::MCOI::TIED_TO) >= 0) {
        op_.reads_dst = true;
        ++next;
      }
      name_implicit_registers();
      if (!registers_exist(op_)) return stop(why_);
      const uint16_t row = index_of_row(mnemonic_);
      if (row == kNoRow) return stop("half of this VOPD instruction is not implemented");
      bind(op_, row);
      half[h] = op_;
    }
    Op& y = program_.keep(half[1]);
    half[0].second = &y;
    Op& x = program_.keep(half[0]);
    Op outer = half[0];
    outer.second = &x;
    bool y_reads_x = false;
    for (int i = 0; i < y.nsrc; ++i)
      y_reads_x |= y.src[i].kind == OperandKind::vgpr && y.src[i].reg == x.dst[0].reg;
    for (Track t : {Track::off, Track::on}) outer.run[static_cast<int>(t)] = run_dual(t, y_reads_x);
    return finish(outer);
  }

  Program& program_;
  Mc& mc_;
  uint64_t pc_;
  Mc::Decoded d_;
  Op op_;
  std::vector<int64_t> imms_;
  std::string name_, text_, mnemonic_;
  std::string why_;
};

}  // namespace

Op decode(Program& program, uint64_t pc) {
  const std::scoped_lock lock(program.code().mutex);
  return Decoder(program, pc).run();
}

}  // namespace w4::rdna
