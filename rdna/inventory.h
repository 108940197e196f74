// What instructions a kernel's code holds, without running it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rdna/emulator.h"

namespace w4::rdna {

// How often each instruction stands in a kernel's code.
struct Inventory {
  // By documented mnemonic: both halves of a VOPD form, the plain instruction of a DPP form.
  std::map<std::string, uint64_t, std::less<>> count;
  uint64_t instructions = 0;         // a VOPD form is one
  std::vector<std::string> unknown;  // texts of those that the emulator does not know
  // Hash of their bytes and where they stand from the kernel's entry on: the same wherever the
  // kernel lies in its object.
  uint64_t bytes = 0xcbf29ce484222325;
};

// On input: `kernel` is an index of object.kernels().
Inventory take_inventory(const CodeObject& object, size_t kernel);

}  // namespace w4::rdna
