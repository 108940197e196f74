#include "devices/gpu_api.h"

#include <chrono>

namespace w4 {

Result<void> GpuApi::read_each(std::span<const GpuRead> reads) {
  for (const GpuRead& r : reads) {
    if (r.to.empty()) continue;
    if (auto done = read(r.from, r.to); !done) return done;
  }
  return {};
}

GpuLaunch GpuApi::launch_in_turn(std::span<const GpuStep> round, uint32_t rounds) {
  GpuLaunch out;
  for (const GpuStep& step : round) {
    GpuLaunch one = launch(*step.code, step.what, rounds);
    if (one.end != GpuLaunch::End::completed) return one;
    out.seconds += one.seconds;
  }
  return out;
}

Result<double> GpuApi::time_copy(uint64_t to, uint64_t from, uint64_t bytes, uint32_t repeat) {
  const auto start = std::chrono::steady_clock::now();
  for (uint32_t i = 0; i < repeat; ++i) {
    if (auto done = copy(to, from, bytes); !done) return std::unexpected(done.error());
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return took.count() / repeat;
}

}  // namespace w4
