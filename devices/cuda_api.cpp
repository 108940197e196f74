// GpuApi over NVIDIA's driver (gpu_api.h): open_cuda().
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "devices/cuda_code.h"
#include "devices/cuda_driver.h"
#include "devices/cuda_memory.h"
#include "devices/cuda_stage.h"
#include "devices/gpu_api.h"

namespace w4 {
namespace {

// Compute capability of kernels/device_cuda.h: its matrix instructions take bf16 from 8.0 on.
constexpr int kLeastMajor = 8;

class CudaApi final : public GpuApi {
 public:
  CudaApi(std::unique_ptr<CudaDriver> driver, GpuFacts facts, int device, CudaEvent* from,
          CudaEvent* to)
      : driver_(std::move(driver)),
        facts_(std::move(facts)),
        memory_(*driver_, device),
        stage_(*driver_),
        from_(from),
        to_(to) {
    if (!memory_.why_unguarded().empty()) {
      facts_.driver += fmt::format("; buffers are not guarded: {}", memory_.why_unguarded());
    }
  }

  const GpuFacts& facts() const override { return facts_; }
  bool lost() const override { return lost_; }

  Result<GpuRoom> reserve(uint64_t bytes, bool guarded) override {
    if (lost_) return std::unexpected(gone());
    auto room = memory_.reserve(bytes, guarded);
    if (room) return *room;
    lost_ = is_fault(room.error().code);
    return fail("{} of {} bytes: {}", room.error().call, bytes,
                driver_->text_of(room.error().code));
  }
  void give_back(const GpuRoom& room) override {
    if (!lost_) memory_.give_back(room);
  }

  Result<void> write(uint64_t to, std::span<const std::byte> from) override {
    if (from.empty()) return {};
    if (!lost_ && stage_.takes(from.size())) {
      return said("cuMemcpyHtoDAsync", to, from.size(), stage_.write(to, from));
    }
    return ask("cuMemcpyHtoD", to, from.size(), driver_->write, to, from.data(), from.size());
  }
  Result<void> read(uint64_t from, std::span<std::byte> to) override {
    if (to.empty()) return {};
    return ask("cuMemcpyDtoH", from, to.size(), driver_->read, to.data(), from, to.size());
  }
  Result<void> read_each(std::span<const GpuRead> reads) override {
    std::vector<GpuRead> small;
    for (const GpuRead& r : reads) {
      if (r.to.empty()) continue;
      if (stage_.takes(r.to.size())) {
        small.push_back(r);
      } else if (auto done = read(r.from, r.to); !done) {
        return done;
      }
    }
    if (lost_) return std::unexpected(gone());
    if (small.empty()) return {};
    return said("cuMemcpyDtoHAsync", small.front().from, small.front().to.size(),
                stage_.read(small));
  }
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) override {
    if (bytes == 0) return {};
    return ask("cuMemcpyDtoD", to, bytes, driver_->copy, to, from, bytes);
  }
  Result<void> fill(uint64_t to, std::span<const std::byte> pattern, uint64_t bytes) override {
    if (bytes == 0) return {};
    uint32_t v = 0;
    for (size_t i = 0; i < pattern.size() && i < 4; ++i) {
      v |= std::to_integer<uint32_t>(pattern[i]) << (8 * i);
    }
    switch (pattern.size()) {
      case 1:
        return ask("cuMemsetD8", to, bytes, driver_->fill8, to, static_cast<unsigned char>(v),
                   bytes);
      case 2:
        return ask("cuMemsetD16", to, bytes, driver_->fill16, to, static_cast<unsigned short>(v),
                   bytes / 2);
      case 4:
        return ask("cuMemsetD32", to, bytes, driver_->fill32, to, v, bytes / 4);
      default:
        return fail("a pattern of {} bytes; legal: 1, 2 or 4", pattern.size());
    }
  }

  Result<std::unique_ptr<GpuCode>> load(std::span<const std::byte> object) override {
    if (lost_) return std::unexpected(gone());
    return CudaCodeObject::make(*driver_, object);
  }

  GpuLaunch launch(GpuCode& code, const w4_launch& what, uint32_t repeat) override {
    const GpuStep step{&code, what};
    return launch_in_turn({&step, 1}, repeat);
  }

  GpuLaunch launch_in_turn(std::span<const GpuStep> round, uint32_t rounds) override {
    if (lost_) return {GpuLaunch::End::fault, gone().text, 0};
    std::vector<Ready> ready;
    ready.reserve(round.size());
    for (const GpuStep& s : round) {
      auto r = prepare(static_cast<CudaCodeObject&>(*s.code), s.what);
      if (!r && lost_) return {GpuLaunch::End::fault, r.error().text, 0};
      if (!r) return {GpuLaunch::End::refused, r.error().text, 0};
      ready.push_back(*r);
    }
    const CudaCode began = driver_->record(from_, nullptr);
    if (began != 0) return ended("cuEventRecord", began);
    for (uint32_t i = 0; i < rounds; ++i) {
      for (const Ready& r : ready) {
        if (const CudaCode c = start(r); c != 0) return ended("cuLaunchKernel", c);
      }
    }
    if (const CudaCode c = driver_->record(to_, nullptr); c != 0) return ended("cuEventRecord", c);
    if (const CudaCode c = driver_->wait(to_); c != 0) return ended("cuEventSynchronize", c);
    stage_.all_done();
    const auto seconds = elapsed();
    if (!seconds) return {GpuLaunch::End::refused, seconds.error().text, 0};
    return {GpuLaunch::End::completed, "", *seconds / std::max<uint32_t>(rounds, 1)};
  }

  Result<double> time_copy(uint64_t to, uint64_t from, uint64_t bytes, uint32_t repeat) override {
    if (auto done = ask("cuEventRecord", to, bytes, driver_->record, from_, nullptr); !done) {
      return std::unexpected(done.error());
    }
    for (uint32_t i = 0; i < repeat; ++i) {
      if (auto done = copy(to, from, bytes); !done) return std::unexpected(done.error());
    }
    if (auto done = ask("cuEventRecord", to, bytes, driver_->record, to_, nullptr); !done) {
      return std::unexpected(done.error());
    }
    if (auto done = ask("cuEventSynchronize", to, bytes, driver_->wait, to_); !done) {
      return std::unexpected(done.error());
    }
    const auto seconds = elapsed();
    if (!seconds) return std::unexpected(seconds.error());
    return *seconds / std::max<uint32_t>(repeat, 1);
  }

 private:
  struct Ready {
    CudaFunction* function;
    const w4_launch* what;
    size_t argument_bytes;
    uint32_t shared;
  };

  static Error gone() {
    return {"the GPU faulted before, and its driver serves this process no more"};
  }

  template <class... Parameters, class... Given>
  Result<void> ask(const char* name, uint64_t at, uint64_t bytes, CudaCode (*call)(Parameters...),
                   Given... given) {
    if (lost_) return std::unexpected(gone());
    return said(name, at, bytes, call(given...));
  }
  Result<void> said(const char* name, uint64_t at, uint64_t bytes, CudaCode code) {
    if (code == 0) return {};
    lost_ = is_fault(code);
    return fail("{} ({} bytes at {:#x}): {}", name, bytes, at, driver_->text_of(code));
  }

  GpuLaunch ended(const char* call, CudaCode code) {
    lost_ = is_fault(code);
    // Faults show at whatever waits next.
    if (lost_) return {GpuLaunch::End::fault, driver_->text_of(code), 0};
    return {GpuLaunch::End::refused, fmt::format("{}: {}", call, driver_->text_of(code)), 0};
  }

  Result<double> elapsed() {
    float ms = 0;
    if (const CudaCode code = driver_->elapsed(&ms, from_, to_); code != 0) {
      lost_ = is_fault(code);
      return fail("cuEventElapsedTime: {}", driver_->text_of(code));
    }
    return double{ms} / 1000;
  }

  // Errors: what is not legal about the launch, or its code cannot be loaded.
  Result<Ready> prepare(CudaCodeObject& code, const w4_launch& what) {
    uint64_t threads = 1, groups = 1;
    for (int i = 0; i < 3; ++i) {
      threads = std::min<uint64_t>(threads * what.block[i], uint64_t{1} << 32);
      groups = std::min<uint64_t>(groups, what.grid[i]);
    }
    if (threads == 0 || threads > static_cast<uint64_t>(facts_.max_threads_per_block)) {
      return fail("a block of {} x {} x {} threads; legal on {}: 1 to {}", what.block[0],
                  what.block[1], what.block[2], facts_.name, facts_.max_threads_per_block);
    }
    constexpr uint32_t kGridX = 0x7fffffff, kGridOther = 65535;
    if (groups == 0 || what.grid[0] > kGridX || what.grid[1] > kGridOther ||
        what.grid[2] > kGridOther) {
      return fail("a grid of {} x {} x {} blocks; legal: 1 to {} x 1 to {} x 1 to {}", what.grid[0],
                  what.grid[1], what.grid[2], kGridX, kGridOther, kGridOther);
    }
    auto kernel = code.find(what.symbol);
    if (!kernel) return std::unexpected(kernel.error());
    CudaKernel& k = **kernel;
    size_t bytes = what.arg_bytes;
    if (k.argument_bytes) {
      // The struct of the arguments may end in a pad.
      bytes = *k.argument_bytes;
      if (what.arg_bytes < bytes || what.arg_bytes > (bytes + 7) / 8 * 8) {
        return fail("{} takes {} bytes of arguments, the launch has {}", what.symbol, bytes,
                    what.arg_bytes);
      }
    }
    const uint64_t shared = k.shared + what.dynamic_lds;
    if (shared > static_cast<uint64_t>(facts_.lds_per_block)) {
      return fail("{} wants {} bytes of shared memory; {} has {} for a block", what.symbol, shared,
                  facts_.name, facts_.lds_per_block);
    }
    if (shared > k.allowed) {
      const CudaCode c =
          driver_->set_function(k.function, kCudaMaxDynamicSharedBytes, static_cast<int>(shared));
      if (c != 0) {
        lost_ = is_fault(c);
        return fail("cuFuncSetAttribute: {} bytes of shared memory for {}: {}", shared, what.symbol,
                    driver_->text_of(c));
      }
      k.allowed = shared;
    }
    return Ready{k.function, &what, bytes, static_cast<uint32_t>(shared)};
  }

  CudaCode start(const Ready& r) {
    size_t bytes = r.argument_bytes;
    // CU_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE, _END.
    std::array<void*, 5> extra{reinterpret_cast<void*>(1), const_cast<void*>(r.what->args),
                               reinterpret_cast<void*>(2), &bytes, nullptr};
    if (bytes == 0) extra[0] = nullptr;
    const w4_launch& w = *r.what;
    return driver_->launch(r.function, w.grid[0], w.grid[1], w.grid[2], w.block[0], w.block[1],
                           w.block[2], r.shared, nullptr, nullptr, extra.data());
  }

  std::unique_ptr<CudaDriver> driver_;
  GpuFacts facts_;
  CudaMemory memory_;
  CudaStage stage_;
  CudaEvent *from_, *to_;
  bool lost_ = false;
};

// "580.95.05" of the kernel's module; empty where it does not say.
std::string kernel_driver() {
  std::ifstream in("/proc/driver/nvidia/version");
  for (std::string word; in >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos && word.contains('.')) {
      return word;
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<GpuApi>> open_cuda(const std::string& library) {
  auto opened = open_cuda_driver(library);
  if (!opened) return std::unexpected(opened.error());
  auto driver = std::make_unique<CudaDriver>(std::move(*opened));
  const auto trouble = [&](const char* call, CudaCode code) {
    return fail("{}: {}", call, driver->text_of(code));
  };
  if (const CudaCode c = driver->init(0); c != 0) return trouble("cuInit", c);
  int count = 0, device = 0, version = 0;
  if (const CudaCode c = driver->device_count(&count); c != 0) {
    return trouble("cuDeviceGetCount", c);
  }
  if (count == 0) return fail("{} knows no GPU", driver->library);
  if (const CudaCode c = driver->device(&device, 0); c != 0) return trouble("cuDeviceGet", c);

  GpuFacts f;
  std::array<char, 256> name{};
  size_t memory = 0;
  driver->device_name(name.data(), static_cast<int>(name.size()) - 1, device);
  driver->device_memory(&memory, device);
  driver->version(&version);
  const auto attribute = [&](int which) {
    int v = 0;
    return driver->attribute(&v, which, device) == 0 ? v : 0;
  };
  const int major = attribute(kCudaCapabilityMajor), minor = attribute(kCudaCapabilityMinor);
  f.name = name.data();
  f.arch = "cuda";
  const std::string module = kernel_driver();
  f.driver =
      fmt::format("{}, CUDA {}.{}{}{}, compute capability {}.{}", driver->library, version / 1000,
                  version % 1000 / 10, module.empty() ? "" : ", driver ", module, major, minor);
  f.wave = attribute(kCudaWarpSize);
  f.multiprocessors = attribute(kCudaMultiprocessors);
  f.lds_per_block = attribute(kCudaMaxSharedPerBlockOptin);
  f.max_threads_per_block = attribute(kCudaMaxThreadsPerBlock);
  f.memory = static_cast<int64_t>(memory);
  f.l2 = attribute(kCudaL2Bytes);
  if (major < kLeastMajor) {
    return fail("{} has compute capability {}.{}; needed: {}.0 or later", f.name, major, minor,
                kLeastMajor);
  }
  CudaContext* context = nullptr;
  if (const CudaCode c = driver->retain_context(&context, device); c != 0) {
    return trouble("cuDevicePrimaryCtxRetain", c);
  }
  if (const CudaCode c = driver->set_context(context); c != 0) {
    return trouble("cuCtxSetCurrent", c);
  }
  CudaEvent *from = nullptr, *to = nullptr;
  for (CudaEvent** e : {&from, &to}) {
    if (const CudaCode c = driver->make_event(e, 0); c != 0) return trouble("cuEventCreate", c);
  }
  return std::make_unique<CudaApi>(std::move(driver), std::move(f), device, from, to);
}

}  // namespace w4
