// The host device: kernels compiled for the CPU, their lanes as fibers (host_workgroup.h). For
// values only: a second opinion on the emulator, and a way to step through a kernel in gdb. checks=
// and sched= have no meaning here; what leaves a buffer may trap and end the process, or not.
#pragma once

#include <memory>

#include "devices/device.h"

namespace w4 {

// Arch "host"; all else as gfx1151 has it.
const GpuModel& host_gpu();

std::unique_ptr<Device> make_host_device();

}  // namespace w4
