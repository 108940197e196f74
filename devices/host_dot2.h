// The dot products of kernels compiled for the CPU, by arithmetic model. The models are those of
// the emulator (rdna/isa/dot2.h): for this one instruction the host device is no second opinion.
#pragma once

#include "devices/host_workgroup.h"
#include "rdna/fp_model.h"

namespace w4 {

HostDot2 host_dot2_f16(rdna::FpModel model);
HostDot2 host_dot2_bf16(rdna::FpModel model);

}  // namespace w4
