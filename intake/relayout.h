// Operands in layouts that calls do not have: a call's weights are shuffled, its scales [N,K/G],
// its zero points packed or unpacked (kernels/module.h). For a kernel that reads another layout the
// module makes a copy on the device and passes that; row strides are contiguous there.
//   wei    shuffled [N,K/2]  ->  sequential i32 [N,K/8], AWQ i32 [K,N/8], GPTQ i32 [K/8,N]
//   scale  [N,K/G]           ->  transposed [K/G,N]
//   zp     packed [N/8,K/G]  ->  AWQ, GPTQ v1 and v2, i32 [K/G,N/8]
#pragma once

#include <cstdint>

#include "core/result.h"
#include "kernels/module.h"

namespace w4 {

bool is_relaid(w4_layout layout);  // in such a copy

struct Relaid {
  uint64_t device = 0;  // of device->device_alloc; the caller frees it
  int64_t stride = 0;   // from row to row, in elements of the layout
};

// On input: `from` is on the device, in the layout of a call that the kernel's clauses let through.
// Errors: the device.
Result<Relaid> relay(const w4_device& device, const w4_tensor& from, w4_layout to);

}  // namespace w4
