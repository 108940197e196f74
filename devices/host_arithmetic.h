// The dot products and matrix products of kernels compiled for the CPU, by arithmetic model. The
// models of chips are those of the emulator (rdna/isa/dot2.h): for these instructions the host
// device is no second opinion.
#pragma once

#include "devices/host_workgroup.h"
#include "rdna/fp_model.h"

namespace w4 {

HostArithmetic host_arithmetic(rdna::FpModel model);

}  // namespace w4
