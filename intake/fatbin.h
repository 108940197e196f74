// Device code as HIP compilers ship it: clang's offload bundles, plain or compressed (CCOB versions
// 1 to 3, zlib or zstd), several in a row as a .hip_fatbin section holds them, and bare code
// objects. The bytes may be hostile: what is cut short, overlaps or claims absurd sizes is an error
// that says where, never a crash. What a code object holds is for rdna::CodeObject::load to judge.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace w4 {

struct FatObject {
  std::string target;  // as its bundle names it: "hipv4-amdgcn-amd-amdhsa--gfx1151:xnack-"; empty:
                       // no bundle around it
  std::string arch;    // "gfx1151"; empty: the target names none and the bytes are no AMDGPU ELF
  int version = 0;     // of the code object; 0: not an HSA code object
  uint64_t at = 0;     // of the bundle, or of the bare object, in the file
  std::span<const std::byte> bytes;
  std::shared_ptr<const void>
      owner;  // of bytes that were compressed; otherwise they are the file's
};

struct Fatbin {
  std::vector<FatObject> objects;
  std::vector<std::string> problems;  // what looks like device code and cannot be read, and why
};

// Everything in `file`, in order: a bundle, a code object, or any file that holds some. Of a host
// ELF with .hip_fatbin sections only those are looked into. Entries for the host are left out.
Fatbin read_fatbin(std::span<const std::byte> file);

// The one bundle or code object that starts at the first byte; `bytes`, if given, becomes the
// number of bytes it takes, or less where its format does not say. On input `file` may reach past
// its end.
Result<std::vector<FatObject>> read_bundle(std::span<const std::byte> file,
                                           uint64_t* bytes = nullptr);

// The same for a loaded image of a length that nobody said, as __hipRegisterFatBinary gets it: the
// image is trusted to be as long as its own headers say.
Result<std::vector<FatObject>> read_image(const void* image);

// The first object for `arch`; an error lists what there is.
Result<FatObject> object_for(std::span<const FatObject> objects, std::string_view arch);

}  // namespace w4
