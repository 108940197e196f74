// A manifest's symbols and patterns against the kernels that a code object holds: which there are
// to choose from, and which one a call takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "intake/manifest.h"
#include "rdna/emulator.h"

namespace w4 {

// One kernel of the object, and where it takes its arguments.
struct ObjectInstance {
  std::string symbol;             // mangled
  std::vector<uint32_t> offsets;  // parallel to ManifestKernel::args
  size_t arg_bytes = 0;
};

struct ArchCode {
  std::string_view arch;
  std::span<const std::byte> object;
  // Parallel to ManifestKernel::symbols, by what their text resolves to.
  std::vector<std::map<std::string, ObjectInstance>> by_symbol;
};

// Errors, with the manifest's place: a symbol that is not there, a pattern that nothing matches or
// that two kernels match alike, arguments that are not those of the metadata.
Result<ArchCode> find_instances(const ManifestKernel& k, const ManifestObject& object,
                                const rdna::CodeObject& code, std::span<const std::byte> bytes);

// Errors: no condition holds, or there is no such kernel; with those that there are.
Result<const ObjectInstance*> choose(const ManifestKernel& k, const ArchCode& code,
                                     const Sizes& sizes);

}  // namespace w4
