#include "rdna/source_lines.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

namespace w4::rdna {

struct SourceLines::Impl {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::unique_ptr<llvm::object::ObjectFile> object;
  std::unique_ptr<llvm::DWARFContext> dwarf;
};

SourceLines::SourceLines(std::span<const std::byte> elf) : impl_(std::make_unique<Impl>()) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(elf.data()), elf.size());
  impl_->buffer = llvm::MemoryBuffer::getMemBuffer(bytes, "", false);
  auto object = llvm::object::ObjectFile::createELFObjectFile(impl_->buffer->getMemBufferRef());
  if (!object) {
    llvm::consumeError(object.takeError());
    return;
  }
  impl_->object = std::move(*object);
  // Damaged debug information costs the line, never the finding: errors are swallowed.
  const auto ignore = [](llvm::Error e) { llvm::consumeError(std::move(e)); };
  impl_->dwarf = llvm::DWARFContext::create(*impl_->object,
                                            llvm::DWARFContext::ProcessDebugRelocations::Process,
                                            nullptr, "", ignore, ignore);
}

SourceLines::~SourceLines() = default;

std::string SourceLines::at(uint64_t pc) const {
  if (!impl_->dwarf) return "";
  const llvm::DILineInfo line = impl_->dwarf->getLineInfoForAddress(
      {pc, llvm::object::SectionedAddress::UndefSection},
      {llvm::DILineInfoSpecifier::FileLineInfoKind::BaseNameOnly,
       llvm::DILineInfoSpecifier::FunctionNameKind::None});
  if (line.Line == 0) return "";
  return line.FileName + ":" + std::to_string(line.Line);
}

}  // namespace w4::rdna
