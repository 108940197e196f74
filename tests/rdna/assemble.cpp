#include "tests/rdna/assemble.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
}

namespace w4::rdna {

namespace {

void note_error(const llvm::SMDiagnostic& d, void* lines) {
  if (d.getKind() == llvm::SourceMgr::DK_Error)
    static_cast<std::set<int>*>(lines)->insert(d.getLineNo());
}

// Numbers of the lines that MC refuses, from 1; bytes of .text when there are none.
std::vector<std::byte> assemble_text(const std::string& arch, const std::string& text,
                                     std::set<int>& refused) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  const char* name = "amdgcn-amd-amdhsa";
  const llvm::Triple triple(name);
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(name, error);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text), llvm::SMLoc());
  sources.setDiagHandler(note_error, &refused);
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(name));
  std::unique_ptr<llvm::MCAsmInfo> info(target->createMCAsmInfo(*registers, name, options));
  std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(name, arch, "+wavefrontsize32"));
  llvm::MCContext context(triple, info.get(), registers.get(), subtarget.get(), &sources);
  std::unique_ptr<llvm::MCObjectFileInfo> file(target->createMCObjectFileInfo(context, true));
  context.setObjectFileInfo(file.get());
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream out(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(
      target->createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(out);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(target->createMCCodeEmitter(*instructions, context));
  std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *info));
  std::unique_ptr<llvm::MCTargetAsmParser> target_parser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*target_parser);
  if (parser->Run(false)) return {};
  auto read = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), ""));
  if (!read) {
    llvm::consumeError(read.takeError());
    return {};
  }
  for (const auto& s : (*read)->sections()) {
    if (!s.isText()) continue;
    auto contents = s.getContents();
    if (!contents || contents->empty()) continue;
    std::vector<std::byte> bytes(contents->size());
    std::memcpy(bytes.data(), contents->data(), contents->size());
    return bytes;
  }
  return {};
}

}  // namespace

std::vector<std::byte> assemble(const std::string& arch, const std::string& text) {
  std::set<int> refused;
  std::vector<std::byte> bytes = assemble_text(arch, text, refused);
  if (!refused.empty()) ADD_FAILURE() << arch << " does not assemble: " << text;
  return bytes;
}

Batch assemble_lines(const std::string& arch, const std::vector<std::string>& lines) {
  Batch b;
  b.accepted.assign(lines.size(), true);
  for (int pass = 0; pass < 2; ++pass) {
    std::string text;
    for (size_t i = 0; i < lines.size(); ++i) text += (b.accepted[i] ? lines[i] : "") + "\n";
    std::set<int> refused;
    b.bytes = assemble_text(arch, text, refused);
    if (refused.empty()) return b;
    for (const int line : refused) b.accepted[static_cast<size_t>(line) - 1] = false;
  }
  ADD_FAILURE() << arch << ": lines that MC took at first it refuses now";
  return b;
}

}  // namespace w4::rdna
