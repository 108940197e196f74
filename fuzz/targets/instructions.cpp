// Any words as the code of a kernel: the first byte is a whole object, the next eight choose how it
// is launched, and the rest stands where its first kernel begins. What the decoder and the emulator
// make of it must end with a reason.
#include <elf.h>

#include <algorithm>
#include <cstring>

#include "fuzz/broken_code.h"
#include "rdna/emulator.h"

namespace w4::fuzz {
namespace {

constexpr size_t kLaunchBytes = 8;

struct Place {
  size_t first = 0, size = 0;
};

// Of linked address `pc` in the file, as far as its segment goes.
Place place_of_code(const Object& object, uint64_t pc) {
  Elf64_Ehdr header;
  std::memcpy(&header, object.data(), sizeof(header));
  for (size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr p;
    std::memcpy(&p, object.data() + header.e_phoff + i * header.e_phentsize, sizeof(p));
    if (p.p_type != PT_LOAD || pc < p.p_vaddr || pc - p.p_vaddr >= p.p_filesz) continue;
    const uint64_t into = pc - p.p_vaddr;
    return {p.p_offset + into, p.p_filesz - into};
  }
  return {};
}

// The code of the first kernel of each whole object; nothing of those that are not loaded (wave64).
const std::vector<Place>& places() {
  static const std::vector<Place> all = [] {
    std::vector<Place> out;
    for (const Object& object : whole_objects()) {
      const auto loaded = rdna::CodeObject::load(object);
      out.push_back(loaded ? place_of_code(object, (*loaded)->kernels().front().entry) : Place{});
    }
    return out;
  }();
  return all;
}

}  // namespace

FUZZ_TARGET(
    instructions,
    "any words as a kernel's code are decoded, listed and run to an end that has a reason") {
  if (bytes.empty()) return;
  const size_t number = bytes[0] % whole_objects().size();
  Object object = whole_objects()[number];
  const Bytes how = bytes.subspan(1, std::min(kLaunchBytes, bytes.size() - 1));
  const Bytes words = bytes.subspan(1 + how.size());
  const Place code = places()[number];
  if (const size_t size = std::min(code.size, words.size()); size > 0)
    std::memcpy(object.data() + code.first, words.data(), size);
  ByteChooser choose(how);
  load_and_launch(object, choose);
}

}  // namespace w4::fuzz
