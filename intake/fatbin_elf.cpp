#include "intake/fatbin_elf.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "llvm/BinaryFormat/ELF.h"

namespace w4 {
namespace {

using Bytes = std::span<const std::byte>;
using llvm::ELF::Elf64_Ehdr;
using llvm::ELF::Elf64_Phdr;
using llvm::ELF::Elf64_Shdr;

template <class T>
T at(Bytes bytes, uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool inside(Bytes bytes, uint64_t from, uint64_t size) {
  return from <= bytes.size() && size <= bytes.size() - from;
}

bool is_elf64(Bytes b) {
  return b.size() >= sizeof(Elf64_Ehdr) && std::memcmp(b.data(),
                                                       "\x7f"
                                                       "ELF\x02\x01",
                                                       6) == 0;
}

// The end of headers, segments and sections; 0: not all of them lie in `elf`.
uint64_t extent(Bytes elf, const Elf64_Ehdr& header) {
  uint64_t end = sizeof header;
  const auto part = [&](uint64_t from, uint64_t size) {
    if (!inside(elf, from, size)) return false;
    end = std::max(end, from + size);
    return true;
  };
  if (!part(header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)) ||
      !part(header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr))) {
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

// ELF.h of LLVM 19; its own names of machines assert on numbers that it does not know.
constexpr std::pair<unsigned, std::string_view> kMachines[] = {
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX600, "gfx600"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX601, "gfx601"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX700, "gfx700"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX701, "gfx701"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX702, "gfx702"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX703, "gfx703"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX704, "gfx704"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX801, "gfx801"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX802, "gfx802"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX803, "gfx803"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX810, "gfx810"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX900, "gfx900"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX902, "gfx902"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX904, "gfx904"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX906, "gfx906"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX908, "gfx908"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX909, "gfx909"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX90C, "gfx90c"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1010, "gfx1010"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1011, "gfx1011"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1012, "gfx1012"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1030, "gfx1030"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1031, "gfx1031"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1032, "gfx1032"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1033, "gfx1033"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX602, "gfx602"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX705, "gfx705"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX805, "gfx805"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1035, "gfx1035"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1034, "gfx1034"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX90A, "gfx90a"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX940, "gfx940"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1100, "gfx1100"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1013, "gfx1013"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1150, "gfx1150"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1103, "gfx1103"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1036, "gfx1036"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1101, "gfx1101"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1102, "gfx1102"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1200, "gfx1200"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1151, "gfx1151"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX941, "gfx941"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX942, "gfx942"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1201, "gfx1201"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX9_GENERIC, "gfx9-generic"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX10_1_GENERIC, "gfx10-1-generic"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX10_3_GENERIC, "gfx10-3-generic"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX11_GENERIC, "gfx11-generic"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX1152, "gfx1152"},
    {llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX12_GENERIC, "gfx12-generic"},
};

}  // namespace

ElfFacts elf_facts(Bytes bytes) {
  ElfFacts facts;
  if (!is_elf64(bytes)) return facts;
  const auto header = at<Elf64_Ehdr>(bytes, 0);
  if (header.e_machine != llvm::ELF::EM_AMDGPU) return facts;
  facts.extent = extent(bytes, header);
  if (facts.extent == 0) return facts;
  facts.amdgpu = true;
  if (header.e_ident[llvm::ELF::EI_OSABI] == llvm::ELF::ELFOSABI_AMDGPU_HSA) {
    facts.version = header.e_ident[llvm::ELF::EI_ABIVERSION] + 2;
  }
  for (const auto& [mach, name] : kMachines) {
    if (mach == (header.e_flags & llvm::ELF::EF_AMDGPU_MACH)) facts.arch = name;
  }
  return facts;
}

std::vector<Section> sections_named(Bytes file, std::string_view name) {
  std::vector<Section> out;
  if (!is_elf64(file)) return out;
  const auto header = at<Elf64_Ehdr>(file, 0);
  if (!inside(file, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr))) return out;
  const auto section = [&](uint64_t i) {
    return at<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  if (header.e_shstrndx >= header.e_shnum) return out;
  const auto names = section(header.e_shstrndx);
  if (!inside(file, names.sh_offset, names.sh_size)) return out;
  const Bytes text = file.subspan(names.sh_offset, names.sh_size);
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto s = section(i);
    if (s.sh_type == llvm::ELF::SHT_NOBITS || !inside(file, s.sh_offset, s.sh_size)) continue;
    if (!inside(text, s.sh_name, name.size() + 1)) continue;
    const auto* here = reinterpret_cast<const char*>(text.data()) + s.sh_name;
    if (std::memcmp(here, name.data(), name.size()) != 0 || here[name.size()] != 0) continue;
    out.push_back({s.sh_offset, file.subspan(s.sh_offset, s.sh_size)});
  }
  return out;
}

bool is_host_elf(Bytes file) {
  return is_elf64(file) && at<Elf64_Ehdr>(file, 0).e_machine != llvm::ELF::EM_AMDGPU;
}

}  // namespace w4
