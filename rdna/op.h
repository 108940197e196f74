// A decoded instruction: what the interpreter needs to run it, resolved once when code is loaded.
#pragma once

#include <cstdint>
#include <string>

#include "rdna/lanes.h"

namespace w4::rdna {

struct Wave;
struct Op;
using Handler = void (*)(Wave&, const Op&);

enum class OperandKind : uint8_t {
  none,
  vgpr,  // reg = VGPR number; `words` consecutive registers
  sgpr,  // reg = hardware number: 0-105, 106/107 VCC, 108-123 TTMP, 124 NULL, 125 M0, 126/127 EXEC
  scc,   // SCC as a 32-bit value 0 or 1
  constant  // inline constant or literal; imm (and imm_hi), row is the broadcast low word
};

// VOP3/VOP3P source modifiers as MC gives them (SIDefines.h, SISrcMods). In VOP3P NEG is neg_lo and
// ABS is neg_hi; op_sel_0 selects the high half for the low result, op_sel_1 for the high result.
enum Mod : uint8_t { kNeg = 1, kAbs = 2, kNegHi = 2, kOpSel0 = 4, kOpSel1 = 8, kDstOpSel = 8 };

struct Operand {
  OperandKind kind = OperandKind::none;
  uint8_t mods = 0;
  uint8_t words = 1;  // 32-bit words the instruction reads or writes here
  uint16_t reg = 0;
  uint32_t imm = 0;
  uint32_t imm_hi = 0;         // high word where words == 2
  const Lanes* row = nullptr;  // constant: imm in every lane (owned by the program)
};

// Which definedness mode a handler is compiled for.
enum class Track : uint8_t { off, on };

// What the decoder makes uniform, so that handlers need not know the encodings:
//  * implicit registers are operands: v_cmp_* writes dst[0] (VCC in the e32 form), v_cmpx_* writes
//    dst[0] = EXEC; v_add_co_ci_u32 and its kin have dst[1] = carry out and src[2] = carry in, and
//    v_cndmask_b32 has src[2] = the selecting mask, in every form;
//  * v_fmamk / v_fmaak carry their constant as src[1] / src[2]: D = src[0] * src[1] + src[2];
//  * packed sources of forms without modifiers (v_dot2acc_f32_f16, v_pk_fmac_f16) get kOpSel1;
//  * a DPP form runs the plain handler with src[0] already permuted and EXEC narrowed: handlers of
//    vector instructions need nothing for DPP;
//  * SOPK and SOPP: the 16-bit immediate is imm[0], sign-extended.
struct Op {
  Handler run[2] = {nullptr, nullptr};  // indexed by Track
  uint64_t pc = 0;                      // address in the loaded code object
  uint32_t next = 0;                    // index of the fall-through op
  uint32_t target = 0;                  // index of the branch target, for direct branches
  uint8_t size = 0;                     // bytes
  uint8_t ndst = 0, nsrc = 0;
  bool clamp = false;
  uint8_t omod = 0;            // 0 none, 1 *2, 2 *4, 3 /2
  Operand dst[2];              // dst[1]: carry-out SGPR of VOP3B and the like
  Operand src[5];              // without the tied copy of dst (see `reads_dst`); for DPP
                               // src[0] is the lane-permuted one and `old` is dst itself
  bool reads_dst = false;      // v_fmac, v_dot2acc, 16-bit results that keep the other half
  int64_t imm[4] = {};         // instruction-specific immediates: offset (sign-extended),
                               // DPP ctrl/row_mask/bank_mask/(bound_ctrl | fi << 1), …
  const Op* second = nullptr;  // VOPD: the X op, whose second is the Y op; DPP: the plain op
  uint16_t mnemonic = 0;       // index in the instruction table
};

}  // namespace w4::rdna
