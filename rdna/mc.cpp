#include "rdna/mc.h"

#include <array>
#include <cstring>
#include <mutex>

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace w4::rdna {

struct Mc::Impl {
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> asm_info;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};

Mc::Mc(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Mc::~Mc() = default;

namespace {

const char* kTriple = "amdgcn-amd-amdhsa";

// v_cndmask_b32_e64 v0, v0, -v2, s2: defs, then modifiers before each source, then a register.
bool operand_numbers_hold(Mc& mc) {
  const std::array<uint32_t, 2> cndmask = {0xd5010000u, 0x400a0500u};
  Mc::Decoded d = mc.decode(std::as_bytes(std::span(cndmask)), 0);
  if (d.size != 8 || d.inst.getNumOperands() != 6) return false;
  const auto ops = mc.desc(d).operands();
  const std::array<int, 6> want = {2, kOperandMods, kOperandSource, kOperandMods, kOperandSource,
                                   2};
  for (unsigned i = 0; i < want.size(); ++i) {
    if (ops[i].OperandType != want[i]) return false;
  }
  // s_mov_b64 s[0:1], -2: one 64-bit source, sign-extended by the disassembler.
  const std::array<uint32_t, 1> mov = {0xbe8001c2u};
  d = mc.decode(std::as_bytes(std::span(mov)), 0);
  return d.size == 4 && d.inst.getNumOperands() == 2 &&
         is_64bit_source(mc.desc(d).operands()[1].OperandType) && d.inst.getOperand(1).isImm() &&
         d.inst.getOperand(1).getImm() == -2;
}

}  // namespace

Result<std::unique_ptr<Mc>> Mc::create(const std::string& arch) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(kTriple, error);
  if (!target) return fail("libLLVM has no AMDGPU target: {}", error);
  auto impl = std::make_unique<Impl>();
  const llvm::Triple triple(kTriple);
  impl->registers.reset(target->createMCRegInfo(kTriple));
  impl->asm_info.reset(target->createMCAsmInfo(*impl->registers, kTriple, llvm::MCTargetOptions()));
  impl->instructions.reset(target->createMCInstrInfo());
  impl->subtarget.reset(target->createMCSubtargetInfo(kTriple, arch, "+wavefrontsize32"));
  impl->context = std::make_unique<llvm::MCContext>(triple, impl->asm_info.get(),
                                                    impl->registers.get(), impl->subtarget.get());
  impl->disassembler.reset(target->createMCDisassembler(*impl->subtarget, *impl->context));
  impl->printer.reset(target->createMCInstPrinter(triple, 0, *impl->asm_info, *impl->instructions,
                                                  *impl->registers));
  if (!impl->disassembler || !impl->printer)
    return fail("libLLVM has no disassembler for {}", arch);
  std::unique_ptr<Mc> mc(new Mc(std::move(impl)));
  if (!operand_numbers_hold(*mc)) {
    return fail("this libLLVM numbers AMDGPU operand types otherwise than LLVM 19");
  }
  return mc;
}

Mc::Decoded Mc::decode(std::span<const std::byte> bytes, uint64_t pc) {
  Decoded d;
  uint64_t size = 0;
  const llvm::ArrayRef<uint8_t> in(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  const auto status = impl_->disassembler->getInstruction(d.inst, size, in, pc, llvm::nulls());
  if (status == llvm::MCDisassembler::Success && size >= 4 && size <= bytes.size()) {
    d.size = static_cast<uint32_t>(size);
  }
  return d;
}

std::string Mc::text(const Decoded& d, uint64_t pc) {
  std::string s;
  llvm::raw_string_ostream out(s);
  impl_->printer->printInst(&d.inst, pc, "", *impl_->subtarget, out);
  out.flush();
  const size_t begin = s.find_first_not_of(" \t");
  return begin == std::string::npos ? std::string() : s.substr(begin);
}

std::string Mc::mnemonic(const Decoded& d) {
  const char* name = impl_->printer->getMnemonic(&d.inst).first;
  std::string s = name ? name : "";
  // Some assembler strings go on after the mnemonic: "scratch_store_b32 off, ".
  return s.substr(0, s.find_first_of(" \t"));
}

std::string Mc::opcode_name(const Decoded& d) {
  return impl_->instructions->getName(d.inst.getOpcode()).str();
}

const llvm::MCInstrDesc& Mc::desc(const Decoded& d) {
  return impl_->instructions->get(d.inst.getOpcode());
}

unsigned Mc::encoding(unsigned reg) const { return impl_->registers->getEncodingValue(reg); }

int Mc::words(int reg_class) const {
  if (reg_class < 0 || static_cast<unsigned>(reg_class) >= impl_->registers->getNumRegClasses())
    return 1;
  const unsigned bits =
      impl_->registers->getRegClass(static_cast<unsigned>(reg_class)).getSizeInBits();
  return bits <= 32 ? 1 : static_cast<int>(bits / 32);
}

}  // namespace w4::rdna
