#include "rdna/find_objects.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "llvm/BinaryFormat/ELF.h"

namespace w4::rdna {
namespace {

template <class T>
T at(std::span<const std::byte> bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// The end of headers, segments and sections; 0: none of ours, or cut short.
uint64_t extent(std::span<const std::byte> elf) {
  using llvm::ELF::Elf64_Ehdr;
  using llvm::ELF::Elf64_Phdr;
  using llvm::ELF::Elf64_Shdr;
  if (elf.size() < sizeof(Elf64_Ehdr)) return 0;
  const auto header = at<Elf64_Ehdr>(elf, 0);
  if (header.e_machine != llvm::ELF::EM_AMDGPU) return 0;
  uint64_t end = sizeof header;
  const auto table = [&](uint64_t from, uint64_t count, uint64_t size) {
    const bool fits = from <= elf.size() && count * size <= elf.size() - from;
    if (fits) end = std::max(end, from + count * size);
    return fits;
  };
  const auto part = [&](uint64_t from, uint64_t size) {
    const bool fits = from <= elf.size() && size <= elf.size() - from;
    if (fits) end = std::max(end, from + size);
    return fits;
  };
  if (!table(header.e_phoff, header.e_phnum, sizeof(Elf64_Phdr)) ||
      !table(header.e_shoff, header.e_shnum, sizeof(Elf64_Shdr))) {
    return 0;
  }
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto p = at<Elf64_Phdr>(elf, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!part(p.p_offset, p.p_filesz)) return 0;
  }
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto s = at<Elf64_Shdr>(elf, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (s.sh_type != llvm::ELF::SHT_NOBITS && !part(s.sh_offset, s.sh_size)) return 0;
  }
  return end;
}

}  // namespace

std::vector<std::span<const std::byte>> find_code_objects(std::span<const std::byte> file) {
  // 64-bit, little-endian, version 1, HSA.
  constexpr uint8_t kMagic[8] = {0x7f, 'E', 'L', 'F', 2, 1, 1, llvm::ELF::ELFOSABI_AMDGPU_HSA};
  const auto magic = std::as_bytes(std::span(kMagic));
  std::vector<std::span<const std::byte>> out;
  size_t from = 0;
  while (true) {
    const auto rest = file.subspan(from);
    const auto found = std::search(rest.begin(), rest.end(), magic.begin(), magic.end());
    if (found == rest.end()) return out;
    const auto start = from + static_cast<size_t>(found - rest.begin());
    const uint64_t bytes = extent(file.subspan(start));
    if (bytes != 0) out.push_back(file.subspan(start, bytes));
    from = start + std::max<uint64_t>(bytes, magic.size());
  }
}

}  // namespace w4::rdna
