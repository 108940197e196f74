#include "devices/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "devices/guarded_pages.h"
#include "devices/host_arithmetic.h"
#include "devices/host_workgroup.h"
#include "devices/parse_fp.h"

namespace w4 {
namespace {

constexpr uint64_t kAlignment = 256;

struct Buffer {
  GuardedPages pages;
  std::byte* first;
  uint64_t bytes;
};

class HostDevice final : public Device {
 public:
  const GpuModel& gpu() const override { return host_gpu(); }
  void reset() override { buffers_.clear(); }

  // As close to the page that traps behind it as the offset allows.
  Result<uint64_t> allocate(const BufferRequest& r) override {
    const uint64_t offset = r.offset % kAlignment;
    const uint64_t most = uint64_t{1} << 46;
    if (r.bytes > most) return fail("{}: no memory for {} bytes", r.name, r.bytes);
    auto pages = GuardedPages::make(r.bytes + offset + kAlignment);
    if (!pages) return fail("{}: {}", r.name, pages.error().text);
    const uint64_t room = pages->size() - r.bytes - offset;
    std::byte* const first = pages->begin() + room / kAlignment * kAlignment + offset;
    buffers_.push_back({std::move(*pages), first, r.bytes});
    return reinterpret_cast<uint64_t>(first);
  }

  Result<void> write(uint64_t to, std::span<const std::byte> from) override {
    auto at = find(to, from.size());
    if (!at) return std::unexpected(at.error());
    std::ranges::copy(from, *at);
    return {};
  }

  Result<void> read(uint64_t from, std::span<std::byte> to) override {
    auto at = find(from, to.size());
    if (!at) return std::unexpected(at.error());
    std::copy_n(*at, to.size(), to.begin());
    return {};
  }

  void release(uint64_t base) override {
    std::erase_if(buffers_,
                  [&](const Buffer& b) { return reinterpret_cast<uint64_t>(b.first) == base; });
  }

  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) override {
    auto source = find(from, bytes);
    if (!source) return std::unexpected(source.error());
    return write(to, {*source, bytes});
  }

  Result<void> note_written(uint64_t, uint64_t) override { return {}; }

  Result<void> poison(uint64_t base, std::span<const std::byte> pattern) override {
    const Buffer* b = find_buffer(base);
    if (b == nullptr || pattern.empty()) return fail("no buffer at {:#x}", base);
    for (uint64_t i = 0; i < b->bytes; ++i) b->first[i] = pattern[i % pattern.size()];
    return {};
  }

  Result<void> mark_gap(uint64_t, uint64_t) override { return {}; }
  std::vector<uint64_t> unwritten(uint64_t, size_t) override { return {}; }

  LaunchResult launch(const w4_launch& what, const LaunchOptions& options) override {
    const auto kernel = find_kernel(what);
    if (!kernel) return refused(kernel.error().text);
    const auto fp = parse_fp(options.fp);
    if (!fp) return refused(fp.error().text);
    if (auto fits = check_shape(what); !fits) return refused(fits.error().text);
    if (!workgroup_) {
      auto made = HostWorkgroup::make(static_cast<uint32_t>(host_gpu().max_threads_per_block));
      if (!made) return refused(made.error().text);
      workgroup_ = std::move(*made);
    }
    return run(*workgroup_, **kernel, what, *fp);
  }

 private:
  static LaunchResult refused(std::string why) {
    LaunchResult r;
    r.end = LaunchResult::End::refused;
    r.why = std::move(why);
    return r;
  }

  static Result<const HostKernel*> find_kernel(const w4_launch& what) {
    HostObject object{};
    if (what.object_bytes == sizeof(object)) std::memcpy(&object, what.object, sizeof(object));
    if (object.magic != kHostObject) return fail("the code is not for the host device");
    const std::span kernels(object.kernels, object.count);
    const auto found = std::ranges::find_if(
        kernels, [&](const HostKernel& k) { return std::strcmp(k.symbol, what.symbol) == 0; });
    if (found == kernels.end()) return fail("no kernel {} in the code", what.symbol);
    if (found->arg_bytes != what.arg_bytes) {
      return fail("{} takes {} bytes of arguments, the launch has {}", what.symbol,
                  found->arg_bytes, what.arg_bytes);
    }
    return &*found;
  }

  static Result<void> check_shape(const w4_launch& what) {
    uint64_t threads = 1;
    for (const uint32_t extent : what.block) {
      threads = std::min<uint64_t>(threads * extent, uint64_t{1} << 32);
    }
    const auto most = static_cast<uint64_t>(host_gpu().max_threads_per_block);
    if (threads == 0 || threads > most || threads % HostWorkgroup::kLanes != 0) {
      return fail(
          "a block of {} x {} x {} threads; legal on the host device: a multiple of {}, at "
          "most {}",
          what.block[0], what.block[1], what.block[2], HostWorkgroup::kLanes, most);
    }
    // An array whose size the launch gives has its largest size on the host
    // (kernels/device_host.h).
    if (what.dynamic_lds > host_gpu().lds_per_block) {
      return fail("{} bytes of dynamic LDS; legal on the host device: at most {}", what.dynamic_lds,
                  host_gpu().lds_per_block);
    }
    return {};
  }

  static LaunchResult run(HostWorkgroup& workgroup, const HostKernel& kernel, const w4_launch& what,
                          rdna::FpModel fp) {
    LaunchResult result;
    result.inexact = {"values only, by the CPU's code: no checks, no schedule"};
    const HostArithmetic arithmetic = host_arithmetic(fp);
    int64_t number = 0;
    for (uint32_t z = 0; z < what.grid[2]; ++z) {
      for (uint32_t y = 0; y < what.grid[1]; ++y) {
        for (uint32_t x = 0; x < what.grid[0]; ++x, ++number) {
          auto finding = workgroup.run(kernel, what, {x, y, z}, arithmetic);
          if (!finding) continue;
          finding->at.workgroup = number;
          result.end = LaunchResult::End::findings;
          result.findings.push_back(std::move(*finding));
          return result;
        }
      }
    }
    return result;
  }

  const Buffer* find_buffer(uint64_t base) const {
    const auto found = std::ranges::find(
        buffers_, base, [](const Buffer& b) { return reinterpret_cast<uint64_t>(b.first); });
    return found == buffers_.end() ? nullptr : &*found;
  }

  // Where [at, at + bytes) lies, if inside one buffer.
  Result<std::byte*> find(uint64_t at, uint64_t bytes) const {
    for (const Buffer& b : buffers_) {
      const uint64_t from = at - reinterpret_cast<uint64_t>(b.first);
      if (from <= b.bytes && bytes <= b.bytes - from) return b.first + from;
    }
    return fail("no buffer holds {} bytes at {:#x}", bytes, at);
  }

  std::vector<Buffer> buffers_;
  std::optional<HostWorkgroup> workgroup_;
};

}  // namespace

const GpuModel& host_gpu() {
  static const GpuModel model = [] {
    GpuModel m = *find_gpu("gfx1151");
    m.arch = "host";
    return m;
  }();
  return model;
}

std::unique_ptr<Device> make_host_device() { return std::make_unique<HostDevice>(); }

}  // namespace w4
