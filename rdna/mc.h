// The one door to libLLVM's MC layer for one arch: bytes to instruction, instruction to text.
// Not thread-safe; its owner serialises.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/result.h"
#include "llvm/MC/MCInst.h"

namespace llvm {
class MCInstrDesc;
}

namespace w4::rdna {

class Mc {
 public:
  // `arch` is one of emulated_archs(). Fails when this libLLVM lacks the arch, or numbers its
  // operand types otherwise than LLVM 19 does (see kOperandMods below).
  static Result<std::unique_ptr<Mc>> create(const std::string& arch);
  ~Mc();

  struct Decoded {
    llvm::MCInst inst;
    uint32_t size = 0;  // bytes; 0: not an instruction
  };
  Decoded decode(std::span<const std::byte> bytes, uint64_t pc);
  std::string text(const Decoded& d, uint64_t pc);  // as the disassembler prints it
  std::string mnemonic(const Decoded& d);           // documented name with its suffix
  std::string opcode_name(const Decoded& d);        // LLVM's own: V_ADD_F32_dpp_gfx11
  const llvm::MCInstrDesc& desc(const Decoded& d);
  unsigned encoding(unsigned reg) const;  // low 8 bits number, bit 8: VGPR
  int words(int reg_class) const;         // 32-bit words of a register of that class

 private:
  struct Impl;
  explicit Mc(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Operand types as LLVM 19 numbers them (the enum is not exported); Mc::create checks them against
// encodings whose shape is known.
inline constexpr int kOperandSource = 13;  // and above: a source, register or constant
inline constexpr int kOperandSplitBarrier = 40;
inline constexpr int kOperandMods = 54;  // source modifiers, always before their source
inline bool is_64bit_source(int type) {
  return type == 14 || type == 17 || type == 30 || type == 34 || type == 48;
}

}  // namespace w4::rdna
