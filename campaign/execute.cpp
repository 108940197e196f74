#include "campaign/execute.h"

#include <algorithm>
#include <thread>

#include "campaign/commands.h"
#include "campaign/runner.h"
#include "intake/open_module.h"

namespace w4 {

namespace {

bool is_native(const Case& c) {
  const auto native = [](const std::string& path) { return form_of(path) == ModuleForm::shared; };
  return native(c.module) || native(c.prep);
}

}  // namespace

double limit_of(const PlannedCase& p, const ExecuteOptions& options) {
  if (options.timeout) return *options.timeout;
  // A kernel on a GPU may hang, and its driver takes its time to start and to translate it.
  const bool gpu = p.value.device == "hip" || p.value.device == "cuda";
  if (!gpu && !is_native(p.value)) return options.otherwise;
  constexpr double kSeconds = 60, kGpuSeconds = 180, kRate = 20e6;
  return (gpu ? kGpuSeconds : kSeconds) + p.cost() / kRate;
}

std::string told_to_native_code(const Case& c) {
  if (!is_native(c)) return "";
  Case device;
  device.device = c.device;
  device.problem.cus = c.problem.cus;
  device.problem.lds = c.problem.lds;
  device.module = c.module;
  device.prep = c.prep;
  return to_string(device);
}

bool needs_workers(std::span<const PlannedCase> plan, const ExecuteOptions& options) {
  // Native code may take its process down.
  return options.jobs > 1 || options.timeout.value_or(0) > 0 ||
         std::ranges::any_of(plan, [](const PlannedCase& p) {
           return !p.value.module.empty() || !p.value.prep.empty() ||
                  is_native_device(p.value.device);
         });
}

uint32_t threads_of_a_case(std::optional<int> threads, int jobs) {
  constexpr uint32_t kMost = 16;  // a launch has seldom work for more
  if (threads) return static_cast<uint32_t>(*threads);
  return jobs > 1 ? 1 : std::clamp(std::thread::hardware_concurrency(), 1u, kMost);
}

Result<void> execute(std::span<const PlannedCase> plan, const ExecuteOptions& options,
                     const Watcher& watcher) {
  if (needs_workers(plan, options)) return execute_in_workers(plan, options, watcher);
  Runner runner(options.threads);
  for (const PlannedCase& p : plan) {
    watcher.tick();
    if (watcher.stop()) break;
    if (!watcher.done(p, runner.run(p.value, options.trace))) break;
  }
  return {};
}

}  // namespace w4
