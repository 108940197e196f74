// What intake/fatbin reads out of ELF headers without trusting them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace w4 {

// 64-bit, little-endian, version 1, HSA: how every code object starts.
inline constexpr std::string_view kCodeObjectMagic{
    "\x7f"
    "ELF\x02\x01\x01\x40",
    8};

struct ElfFacts {
  bool amdgpu = false;  // and headers, segments and sections lie whole in the bytes
  uint64_t extent = 0;  // where the last of them ends
  int version = 0;      // of the code object, 3 and above; 0: unknown
  std::string arch;     // "gfx1151"; empty: a machine that LLVM does not name
};
ElfFacts elf_facts(std::span<const std::byte> bytes);

struct Section {
  uint64_t at = 0;
  std::span<const std::byte> bytes;
};
// Sections with that name; none where `file` is no ELF or is cut short.
std::vector<Section> sections_named(std::span<const std::byte> file, std::string_view name);

// An ELF file that is not an AMDGPU code object.
bool is_host_elf(std::span<const std::byte> file);

}  // namespace w4
