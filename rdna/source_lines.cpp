#include "rdna/source_lines.h"

#include <fmt/ranges.h>

#include <vector>

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
  const llvm::DIInliningInfo calls = impl_->dwarf->getInliningInfoForAddress(
      {pc, llvm::object::SectionedAddress::UndefSection},
      {llvm::DILineInfoSpecifier::FileLineInfoKind::BaseNameOnly,
       llvm::DILineInfoSpecifier::FunctionNameKind::ShortName});
  std::vector<std::string> frames;
  for (uint32_t i = 0; i < calls.getNumberOfFrames(); ++i) {
    const llvm::DILineInfo& f = calls.getFrame(i);
    if (f.Line == 0) continue;  // the compiler made it of several lines
    const bool outermost = i + 1 == calls.getNumberOfFrames();
    const bool named = !outermost && f.FunctionName != llvm::DILineInfo::BadString;
    frames.push_back(
        fmt::format("{}:{}{}", f.FileName, f.Line, named ? " in " + f.FunctionName : ""));
  }
  if (frames.size() > kFrames) {
    const size_t left_out = frames.size() - kFrames;
    const auto from = frames.begin() + static_cast<ptrdiff_t>(kFrames) - 1;
    frames.erase(from, from + static_cast<ptrdiff_t>(left_out));
    frames.insert(frames.end() - 1, fmt::format("{} more calls", left_out));
  }
  return fmt::format("{}", fmt::join(frames, " < "));
}

std::vector<std::string> SourceLines::files_at(uint64_t pc) const {
  std::vector<std::string> out;
  if (!impl_->dwarf) return out;
  const llvm::DIInliningInfo calls = impl_->dwarf->getInliningInfoForAddress(
      {pc, llvm::object::SectionedAddress::UndefSection},
      {llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
       llvm::DILineInfoSpecifier::FunctionNameKind::None});
  for (uint32_t i = 0; i < calls.getNumberOfFrames(); ++i) {
    const llvm::DILineInfo& f = calls.getFrame(i);
    if (f.Line != 0 && out.size() < kFrames)
      out.push_back(fmt::format("{}:{}", f.FileName, f.Line));
  }
  return out;
}

}  // namespace w4::rdna
