#include "devices/emulated.h"

#include <cstring>
#include <map>
#include <utility>

#include "devices/parse_fp.h"
#include "rdna/captured.h"
#include "rdna/emulator.h"

namespace w4 {
namespace {

LaunchResult::End end_of(rdna::LaunchReport::End e) {
  switch (e) {
    case rdna::LaunchReport::End::completed:
      return LaunchResult::End::completed;
    case rdna::LaunchReport::End::findings:
      return LaunchResult::End::findings;
    case rdna::LaunchReport::End::unsupported:
      return LaunchResult::End::unsupported;
    case rdna::LaunchReport::End::step_limit:
      return LaunchResult::End::step_limit;
    case rdna::LaunchReport::End::refused:
      return LaunchResult::End::refused;
  }
  return LaunchResult::End::refused;
}

class EmulatedDevice final : public Device {
 public:
  explicit EmulatedDevice(const GpuModel& gpu) : gpu_(gpu), emulator_(gpu.arch) {}

  const GpuModel& gpu() const override { return gpu_; }

  void reset() override { emulator_.memory().release_all(); }

  Result<uint64_t> allocate(const BufferRequest& r) override {
    return emulator_.memory().allocate({.name = r.name,
                                        .bytes = r.bytes,
                                        .offset = r.offset,
                                        .writable = r.writable,
                                        .initialised = r.initialised,
                                        .track_writers = r.output});
  }

  Result<void> write(uint64_t to, std::span<const std::byte> from) override {
    return emulator_.memory().write(to, from);
  }
  Result<void> read(uint64_t from, std::span<std::byte> to) override {
    return emulator_.memory().read(from, to);
  }
  void release(uint64_t base) override { emulator_.memory().release(base); }
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) override {
    return emulator_.memory().copy(to, from, bytes);
  }
  Result<void> note_written(uint64_t at, uint64_t bytes) override {
    return emulator_.memory().note_written(at, bytes);
  }
  Result<void> poison(uint64_t base, std::span<const std::byte> pattern) override {
    return emulator_.memory().poison(base, pattern);
  }
  Result<void> mark_gap(uint64_t from, uint64_t bytes) override {
    return emulator_.memory().mark_gap(from, bytes);
  }
  std::vector<uint64_t> unwritten(uint64_t base, size_t limit) override {
    return emulator_.memory().unwritten(base, limit);
  }

  LaunchResult launch(const w4_launch& what, const LaunchOptions& options) override {
    const auto object = load(what);
    if (!object) return refused(object.error().text);
    const auto fp = parse_fp(options.fp);
    if (!fp) return refused(fp.error().text);

    rdna::LaunchConfig config;
    config.grid = {what.grid[0], what.grid[1], what.grid[2]};
    config.block = {what.block[0], what.block[1], what.block[2]};
    config.dynamic_lds = what.dynamic_lds;
    config.checks = options.checks.mask;
    config.fp = *fp;
    config.schedule = options.sched;
    config.confirm = options.confirm;
    config.threads = options.threads;
    config.trace = options.trace;
    config.figures = options.figures;
    config.mutate = options.mutate;
    if (options.step_limit != 0) config.step_limit = options.step_limit;

    const auto* args = static_cast<const std::byte*>(what.args);
    rdna::LaunchReport report =
        emulator_.launch(**object, what.symbol, config, {args, what.arg_bytes});
    LaunchResult result;
    result.end = end_of(report.end);
    result.findings = std::move(report.findings);
    result.why = std::move(report.why);
    result.pc = report.where.pc;
    result.trace = std::move(report.trace);
    result.wave_instructions = report.wave_instructions;
    result.mutated = report.mutated;
    result.inexact = std::move(report.inexact);
    // What silicon of the family was seen to do so rests on that; other models are no chip's.
    if (options.fp == default_fp(gpu_.arch)) {
      std::erase_if(result.inexact, [&](const std::string& mnemonic) {
        return rdna::evidence_on(mnemonic, gpu_.family) == rdna::Evidence::hardware_capture;
      });
    }
    result.text_hash = (*object)->text_hash();
    return result;
  }

 private:
  static LaunchResult refused(std::string why) {
    LaunchResult r;
    r.end = LaunchResult::End::refused;
    r.why = std::move(why);
    return r;
  }

  // Objects are decoded once per (address, size): a module's objects are constant data.
  Result<std::shared_ptr<const rdna::CodeObject>> load(const w4_launch& what) {
    const auto key = std::pair(what.object, what.object_bytes);
    if (const auto it = objects_.find(key); it != objects_.end()) return it->second;
    const auto* bytes = static_cast<const std::byte*>(what.object);
    auto object = rdna::CodeObject::load({bytes, what.object_bytes});
    if (!object) return std::unexpected(object.error());
    if ((*object)->arch() != gpu_.arch) {
      return fail("code object is for {}, the device is {}", (*object)->arch(), gpu_.arch);
    }
    return objects_.emplace(key, std::move(*object)).first->second;
  }

  const GpuModel& gpu_;
  rdna::Emulator emulator_;
  std::map<std::pair<const void*, size_t>, std::shared_ptr<const rdna::CodeObject>> objects_;
};

}  // namespace

std::unique_ptr<Device> make_emulated_device(const GpuModel& gpu) {
  return std::make_unique<EmulatedDevice>(gpu);
}

}  // namespace w4
