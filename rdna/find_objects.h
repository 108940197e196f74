// Code objects inside another file: a shared library or program that holds its device code, an
// uncompressed offload bundle, or a code object by itself.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace w4::rdna {

// Every 64-bit AMDGPU HSA ELF that lies whole in `file`, in order. Not looked into: compressed
// bundles. What is found may still be damaged; CodeObject::load says so.
std::vector<std::span<const std::byte>> find_code_objects(std::span<const std::byte> file);

}  // namespace w4::rdna
