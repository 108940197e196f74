#include "intake/hip/own_device.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "core/finding.h"
#include "devices/device.h"
#include "devices/parse_fp.h"

namespace w4::hip {
namespace {

// Bytes of device memory that are copied before each launch; with more, an alarm is not confirmed.
constexpr uint64_t kMostKept = uint64_t{256} << 20;

constexpr std::array<std::string_view, 6> kKeys{"device", "lds", "cus", "checks", "sched", "fp"};

int exit_status = 0;  // what the process ends with where the program says 0

// Runs after everything the program registered: the library was there before it.
void at_exit(int status, void*) {
  if (status != 0 || exit_status == 0) return;
  std::fflush(nullptr);
  _exit(exit_status);
}

void print_finding(const Finding& f) {
  std::string text = to_string(f);
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 3)
    text.replace(at, 1, "\n  ");
  fmt::print(stderr, "  {}\n", text);
}

}  // namespace

Result<Case> read_environment(std::string_view fragment) {
  for (size_t at = 0; at < fragment.size();) {
    const size_t from = fragment.find_first_not_of(" \t\n", at);
    if (from == std::string_view::npos) break;
    at = std::min(fragment.find_first_of(" \t\n", from), fragment.size());
    const std::string_view word = fragment.substr(from, at - from);
    const std::string_view key = word.substr(0, word.find('='));
    if (std::ranges::find(kKeys, key) == kKeys.end())
      return fail("W4HIP: '{}' says nothing about a device; legal keys: {}", word,
                  fmt::join(kKeys, ", "));
  }
  // The kernel's name is what a case line starts with; nothing is read from it.
  auto c = parse_case("decode " + std::string(fragment));
  if (!c) return fail("W4HIP: {}", c.error().text);
  if (!find_gpu(c->device))
    return fail("W4HIP: device={} is not emulated; legal: {}", c->device,
                fmt::join(rdna::emulated_archs(), ", "));
  return c;
}

OwnDevice& OwnDevice::get() {
  static auto* device = new OwnDevice;  // outlives every destructor of the program
  return *device;
}

OwnDevice::OwnDevice() {
  const char* text = std::getenv("W4HIP");
  const auto c = read_environment(text ? text : "");
  const auto fp = c ? parse_fp(c->fp == "auto" ? default_fp(c->device) : c->fp)
                    : Result<rdna::FpModel>(rdna::FpModel::ieee);
  if (!c || !fp) {
    fmt::print(stderr, "w4hip: {}\n", c ? fp.error().text : c.error().text);
    _exit(2);
  }
  gpu_ = find_gpu(c->device);
  lds_ = c->problem.lds.value_or(gpu_->lds_per_block);
  cus_ = c->problem.cus.value_or(gpu_->wgps);
  const char* on = std::getenv("W4HIP_CONTINUE");
  goes_on_ = on && std::string_view(on) != "" && std::string_view(on) != "0";
  config_.checks = c->checks.mask;
  config_.schedule = c->sched;
  config_.fp = *fp;
  config_.threads = std::clamp(std::thread::hardware_concurrency(), 1u, 64u);
  line_ = fmt::format("device={} lds={} cus={} checks={} sched={} fp={}", c->device, lds_, cus_,
                      to_string(c->checks), to_string(c->sched), c->fp);
  emulator_ = std::make_unique<rdna::Emulator>(gpu_->arch);
  on_exit(at_exit, nullptr);
  table_ = {
      .version = W4_MODULE_VERSION,
      .self = this,
      .arch = gpu_->arch.data(),
      .property = [](void* self, w4_property which) -> int64_t {
        switch (which) {
          case W4_PROP_CU_COUNT:
            return of(self).cus_;
          case W4_PROP_LDS_PER_BLOCK:
            return of(self).lds_;
          case W4_PROP_WAVE:
            return of(self).gpu_->wave;
          case W4_PROP_MAX_THREADS:
            return of(self).gpu_->max_threads_per_block;
        }
        return -1;
      },
      .host_alloc = [](void*, size_t bytes) -> void* { return std::calloc(bytes + 1, 1); },
      .device_alloc = [](void* self, size_t bytes) -> uint64_t {
        OwnDevice& d = of(self);
        const auto base = d.emulator_->memory().allocate(
            {.name = fmt::format("allocation {} of the process", ++d.allocations_),
             .bytes = bytes,
             .writable = true,
             .initialised = false});
        if (!base) fmt::print(stderr, "w4hip: {}\n", base.error().text);
        return base.value_or(0);
      },
      .device_free = [](void* self,
                        uint64_t address) { of(self).emulator_->memory().release(address); },
      .read = [](void* self, uint64_t from, void* to, size_t bytes) -> int {
        return !of(self).emulator_->memory().read(from, {static_cast<std::byte*>(to), bytes});
      },
      .write = [](void* self, uint64_t to, const void* from, size_t bytes) -> int {
        return !of(self).emulator_->memory().write(to,
                                                   {static_cast<const std::byte*>(from), bytes});
      },
      .copy = [](void* self, uint64_t to, uint64_t from, size_t bytes) -> int {
        return !of(self).emulator_->memory().copy(to, from, bytes);
      },
      .launch = [](void* self, const w4_launch* what) { return of(self).launch(*what); },
      .refuse = [](void*, const char*, const char*) {},
      .ran = [](void*, const char*) {},
  };
}

int OwnDevice::failed(int code) {
  // A finding is worse than a launch that could not be judged.
  if (exit_status == 0 || code == 1) exit_status = code;
  return code;
}

// An alarm of the fast run may be false where only some bits of a value are undefined: the launch
// runs again, bit-exact, on the memory that it found, and what that run says and leaves counts.
rdna::LaunchReport OwnDevice::run(const rdna::CodeObject& object, const w4_launch& what,
                                  bool* confirmed) {
  rdna::LaunchConfig config = config_;
  config.grid = {what.grid[0], what.grid[1], what.grid[2]};
  config.block = {what.block[0], what.block[1], what.block[2]};
  config.dynamic_lds = what.dynamic_lds;
  const std::span args(static_cast<const std::byte*>(what.args), what.arg_bytes);
  const bool kept = emulator_->memory().snapshot(before_, kMostKept).has_value();
  rdna::LaunchReport report = emulator_->launch(object, what.symbol, config, args);
  if (report.end != rdna::LaunchReport::End::findings) return report;
  *confirmed = kept;
  if (!kept) return report;
  emulator_->memory().restore(before_);
  config.confirm = true;
  return emulator_->launch(object, what.symbol, config, args);
}

int OwnDevice::launch(const w4_launch& what) {
  ++launches_;
  const auto loaded = load({static_cast<const std::byte*>(what.object), what.object_bytes});
  if (!loaded) {
    fmt::print(stderr, "w4hip: {}: {}\n", what.symbol, loaded.error().text);
    return failed(3);
  }
  const rdna::CodeObject* object = *loaded;
  bool confirmed = true;
  const rdna::LaunchReport report = run(*object, what, &confirmed);
  using End = rdna::LaunchReport::End;
  if (report.end == End::completed) return 0;

  std::fflush(stdout);
  const rdna::KernelInfo* kernel = object->find(what.symbol);
  const std::string name = kernel ? kernel->demangled : what.symbol;
  const std::string where = fmt::format(
      "launch {} of the process, {}, grid {}x{}x{}, block {}x{}x{}", launches_, name, what.grid[0],
      what.grid[1], what.grid[2], what.block[0], what.block[1], what.block[2]);
  if (!report.findings.empty()) {
    fmt::print(stderr, "w4hip: finding: {} in {}\n", report.findings.size(), where);
    for (const Finding& f : report.findings) print_finding(f);
    if (!confirmed) {
      fmt::print(
          stderr,
          "  not confirmed: the process has more than {} bytes of device memory, too many to "
          "run the launch again; undefined_* may be false where bits of a value are defined\n",
          kMostKept);
    }
  } else {
    const char* kind = report.end == End::unsupported  ? "unsupported"
                       : report.end == End::step_limit ? "step limit"
                                                       : "refused";
    fmt::print(stderr, "w4hip: {}: {} in {}\n", kind, report.why, where);
  }
  fmt::print(stderr, "  device: W4HIP=\"{}\"\n", line_);
  return failed(report.findings.empty() ? 3 : 1);
}

Result<const rdna::CodeObject*> OwnDevice::load(std::span<const std::byte> bytes) {
  auto& object = objects_[{bytes.data(), bytes.size()}];
  if (!object) {
    auto loaded = rdna::CodeObject::load(bytes);
    if (!loaded) return std::unexpected(loaded.error());
    object = *loaded;
  }
  return object.get();
}

Result<std::pair<uint64_t, uint64_t>> OwnDevice::variable(std::span<const std::byte> bytes,
                                                          std::string_view name) {
  const auto object = load(bytes);
  if (!object) return std::unexpected(object.error());
  return emulator_->variable(**object, name);
}

}  // namespace w4::hip
