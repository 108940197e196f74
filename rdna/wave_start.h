// What the hardware and the HSA runtime put into registers before the first instruction.
#pragma once

#include "rdna/code_object.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

struct WaveStart {
  const Descriptor* descriptor = nullptr;
  int major = 11;
  Address kernarg = 0, dispatch_packet = 0;
  Dim3 block;
  uint32_t scratch_bytes = 0;
};

// `w` has its number, workgroup and VGPR storage; everything not set here is undefined.
void start_wave(Wave& w, const WaveStart& s);

// Writes the hidden arguments of code object v5 that the metadata lists.
void fill_hidden_arguments(const KernelInfo& kernel, const LaunchConfig& config,
                           std::span<uint8_t> bytes, std::span<uint8_t> state);

}  // namespace w4::rdna
