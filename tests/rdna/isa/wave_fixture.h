// A wave with its own registers, and a way to run one row of the table on it: no decoder needed.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rdna/access.h"
#include "rdna/isa/half.h"
#include "rdna/report.h"
#include "rdna/table.h"

namespace w4::rdna::test {

// What the handlers reported through rdna/report.h since the last run().
struct Reports {
  std::vector<FindingKind> undefined;
  std::vector<std::string> unsupported;
  std::vector<std::pair<FindingKind, uint32_t>> misused;
};
Reports& reports();

// Every row of the instruction families under rdna/isa.
std::vector<const Row*> isa_rows();
const Row& row(std::string_view mnemonic);
bool has_row(std::string_view mnemonic);

inline constexpr int kRegs = 48;

struct Bench {
  Lanes v[kRegs];
  uint32_t lo[kRegs], hi[kRegs];
  Lanes constants[4];
  Wave w;
  Bench() {
    std::memset(v, 0, sizeof v);
    std::memset(lo, 0xff, sizeof lo);
    std::memset(hi, 0xff, sizeof hi);
    w.v = v;
    w.dlo = lo;
    w.dhi = hi;
    w.vgprs = kRegs;
    std::memset(w.sdef, 0xff, sizeof w.sdef);
    w.s[kExec] = ~0u;
    w.scc_def = true;
  }
  static Operand vgpr(int reg, uint8_t mods = 0, int words = 1) {
    Operand o;
    o.kind = OperandKind::vgpr;
    o.reg = static_cast<uint16_t>(reg);
    o.mods = mods;
    o.words = static_cast<uint8_t>(words);
    return o;
  }
  static Operand sgpr(int reg, int words = 1) {
    Operand o = vgpr(reg, 0, words);
    o.kind = OperandKind::sgpr;
    return o;
  }
  Operand constant(uint32_t x, int slot = 0) {
    Operand o;
    o.kind = OperandKind::constant;
    o.imm = x;
    for (uint32_t& l : constants[slot].v) l = x;
    o.row = &constants[slot];
    return o;
  }
  // Runs both variants: values must agree, definedness is that of Track::on.
  void run(std::string_view mnemonic, const Op& op);
  void run(std::string_view mnemonic, std::initializer_list<Operand> dst,
           std::initializer_list<Operand> src) {
    Op op;
    for (const Operand& o : dst) op.dst[op.ndst++] = o;
    for (const Operand& o : src) op.src[op.nsrc++] = o;
    run(mnemonic, op);
  }
};

// Words that matter: zeros, ones, signs, denormals, infinities and NaNs of fp16 and fp32, and a
// seeded random tail, `n` in all.
std::vector<uint32_t> interesting(size_t n, uint64_t seed);

}  // namespace w4::rdna::test
