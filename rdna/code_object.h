// What a loaded code object is inside: segments, kernels with their descriptors, relocations, and
// the disassembler for its arch. Immutable after load but for the two lazily made helpers.
#pragma once

#include <map>
#include <mutex>

#include "rdna/emulator.h"
#include "rdna/mc.h"

namespace w4::rdna {

struct Segment {
  uint64_t address = 0;  // as linked
  uint64_t bytes = 0;    // in memory, >= contents.size(); the rest is zero
  std::span<const std::byte> contents;
  bool writable = false, executable = false;
};

struct Relocation {
  uint64_t at = 0;     // linked address of 8 bytes
  uint64_t value = 0;  // linked address to which the load base is added
};

// The fields of the 64-byte kernel descriptor that the emulator uses (AMDHSAKernelDescriptor.h).
struct Descriptor {
  uint64_t entry = 0;  // linked address of the first instruction
  uint32_t rsrc1 = 0, rsrc2 = 0, properties = 0;
  int vgprs() const { return (static_cast<int>(rsrc1 & 63) + 1) * 8; }  // wave32: granules of 8
  int user_sgprs() const { return static_cast<int>(rsrc2 >> 1 & 31); }
};

class SourceLines;

// A variable (__device__, __constant__) of the object.
struct Variable {
  uint64_t address = 0;  // as linked
  uint64_t bytes = 0;
};

struct CodeObject::Impl {
  std::vector<std::byte> bytes;
  std::string arch;
  int major = 11;  // 11 or 12
  std::vector<Segment> segments;
  std::vector<Relocation> relocations;
  std::vector<KernelInfo> kernels;
  std::vector<Descriptor> descriptors;  // parallel to kernels
  std::map<std::string, Variable, std::less<>> variables;
  uint64_t text_hash = 0;
  uint64_t id = 0;  // unique in the process: key of an emulator's decoded programs
  std::shared_ptr<char> alive = std::make_shared<char>();  // emulators drop what expired

  // The executable segment that holds `pc`, from pc on; empty if none.
  std::span<const std::byte> code_at(uint64_t pc) const;
  std::string text_at(uint64_t pc) const;    // the instruction at pc
  std::string source_at(uint64_t pc) const;  // as SourceLines::at
  std::vector<std::string> files_at(uint64_t pc) const;

  mutable std::mutex mutex;  // of the helpers below
  mutable std::unique_ptr<Mc> mc;
  mutable std::shared_ptr<SourceLines> lines;
};

}  // namespace w4::rdna
