// The emulated device: one rdna::Emulator, one arch.
#pragma once

#include <memory>

#include "devices/device.h"

namespace w4 {

// `gpu` must outlive the device (the models of core/gpu.h do).
std::unique_ptr<Device> make_emulated_device(const GpuModel& gpu);

}  // namespace w4
