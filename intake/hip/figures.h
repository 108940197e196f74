// The figures of the device that its properties, its attributes and occupancy are made of.
#pragma once

#include <cstddef>
#include <string>

#include "intake/hip/session.h"

namespace w4::hip {

// Sizes in bytes; `registers` of one compute unit, in lanes' 32-bit registers.
struct Figures {
  std::string arch;
  int major = 0, minor = 0, stepping = 0;
  int cus = 0, wave = 0, threads = 0, threads_per_multiprocessor = 0, registers = 0;
  size_t lds = 0;
  static constexpr size_t kMemory = size_t{32} << 30;
  static constexpr int kGrid[3] = {0x7fffffff, 65535, 65535};
};
Figures figures(const Call& c);

}  // namespace w4::hip
