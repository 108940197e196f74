// The devices hip and cuda: a GPU behind its driver. What a launch may not write is watched by
// patterns around and between the rows of buffers and by comparing the inputs; what it may not read
// faults where the driver leaves memory beside a buffer unmapped (gpu_spot.h), and shows as NaNs in
// the outputs otherwise. checks=, sched= and confirming runs have no meaning.
#pragma once

#include <memory>
#include <string>

#include "devices/device.h"
#include "devices/gpu_api.h"

namespace w4 {

// `name`: "hip" or "cuda". On input: api->facts().arch is "cuda" or one of core/gpu.h.
std::unique_ptr<Device> make_gpu_device(std::string name, std::unique_ptr<GpuApi> api);

}  // namespace w4
