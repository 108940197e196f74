#include "devices/gpu_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "devices/gpu_buffer.h"
#include "devices/gpu_rooms.h"
#include "rdna/emulator.h"

namespace w4 {
namespace {

// `lds_per_block` is the size of the kernels' arrays, of which the driver is asked apart from what
// a launch asks for; registers as NVIDIA documents them (65536 in four parts of 32 lanes).
GpuModel model_of(const GpuFacts& facts) {
  GpuModel m{"cuda", 0, 32, 1, 65536, 1024, 512, 8};
  if (const GpuModel* found = find_gpu(facts.arch)) m = *found;
  m.wave = facts.wave;
  m.wgps = facts.multiprocessors;
  return m;
}

std::string_view words_for(Placement placement) {
  switch (placement) {
    case Placement::end:
      return "the last byte of each buffer before unmapped memory";
    case Placement::beginning:
      return "the first byte of each buffer behind unmapped memory";
    case Placement::plain:
      break;
  }
  return "buffers in ordinary memory";
}

struct LoadedCode {
  std::unique_ptr<GpuCode> code;
  uint64_t hash = 0;
};

class GpuDevice final : public Device {
 public:
  GpuDevice(std::string name, std::unique_ptr<GpuApi> api)
      : name_(std::move(name)),
        api_(std::move(api)),
        model_(model_of(api_->facts())),
        rooms_(*api_) {}

  ~GpuDevice() override { reset(); }

  const GpuModel& gpu() const override { return model_; }
  bool lost() const override { return fault_.has_value(); }

  void reset() override {
    for (const GpuBuffer& b : buffers_) rooms_.put(b.room(), b.guarded());
    buffers_.clear();
  }

  Result<uint64_t> allocate(const BufferRequest& r) override {
    if (r.bytes > uint64_t{1} << 46) return fail("{}: no memory for {} bytes", r.name, r.bytes);
    if (lost()) return nowhere(r);
    const bool guarded = r.placement != Placement::plain;
    const auto room = rooms_.take(room_for(r.bytes), guarded);
    if (!room) {
      if (took_notice("allocation", room.error().text)) return nowhere(r);
      return fail("{}: {}", r.name, room.error().text);
    }
    placement_ = !guarded                                                    ? Placement::plain
                 : r.placement == Placement::end && room->traps_after        ? Placement::end
                 : r.placement == Placement::beginning && room->traps_before ? Placement::beginning
                                                                             : Placement::plain;
    return buffers_.emplace_back(r, *room).base();
  }

  Result<void> write(uint64_t to, std::span<const std::byte> from) override {
    return with(to, from.size(), [&](GpuBuffer& b) { return b.write(*api_, to, from); });
  }

  Result<void> read(uint64_t from, std::span<std::byte> to) override {
    if (auto done = settle(); !done) return done;
    auto done = with(from, to.size(), [&](GpuBuffer& b) { return b.read(*api_, from, to); });
    if (lost()) std::ranges::fill(to, std::byte{});
    return done;
  }

  void release(uint64_t base) override {
    const auto it = std::ranges::find_if(
        buffers_, [&](const GpuBuffer& b) { return b.live() && b.base() == base; });
    if (it == buffers_.end()) return;
    if (it->imaged()) return it->end_life();
    rooms_.put(it->room(), it->guarded());
    buffers_.erase(it);
  }

  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) override {
    if (lost()) return {};
    for (const uint64_t at : {to, from}) {
      if (find(at, bytes) == nullptr) return nobody(at, bytes);
    }
    std::vector<std::byte> piece;
    for (uint64_t done = 0; done < bytes; done += piece.size()) {
      piece.resize(std::min<uint64_t>(bytes - done, uint64_t{16} << 20));
      if (auto ok = read(from + done, piece); !ok) return ok;
      if (auto ok = write(to + done, piece); !ok) return ok;
    }
    return {};
  }

  Result<void> note_written(uint64_t at, uint64_t bytes) override {
    return with(at, bytes, [](GpuBuffer&) { return Result<void>{}; });
  }

  Result<void> poison(uint64_t base, std::span<const std::byte> pattern) override {
    if (pattern.empty()) return fail("no pattern to poison with");
    return with(base, 0, [&](GpuBuffer& b) -> Result<void> {
      if (b.base() != base) return fail("no buffer begins at {:#x}", base);
      return b.poison(*api_, pattern);
    });
  }

  Result<void> mark_gap(uint64_t from, uint64_t bytes) override {
    return with(from, bytes, [&](GpuBuffer& b) {
      b.mark_gap(from, bytes);
      return Result<void>{};
    });
  }

  std::vector<uint64_t> unwritten(uint64_t base, size_t limit) override {
    std::vector<uint64_t> out;
    if (const GpuBuffer* b = find(base, 0); b != nullptr && !lost()) {
      if (auto done = b->unwritten(*api_, limit, out); !done) out.clear();
    }
    return out;
  }

  Result<double> time_launches(std::span<const w4_launch> round, uint32_t rounds) override {
    std::vector<GpuStep> steps;
    for (const w4_launch& what : round) {
      const auto loaded = load(what);
      if (!loaded) return std::unexpected(loaded.error());
      steps.push_back({(*loaded)->code.get(), what});
    }
    if (lost()) return fail("{}", fault_->detail);
    for (GpuBuffer& b : buffers_) {
      if (auto done = b.upload(*api_); !done) return std::unexpected(done.error());
    }
    unsettled_ = true;
    const GpuLaunch ran = api_->launch_in_turn(steps, rounds);
    if (ran.end == GpuLaunch::End::completed) return ran.seconds;
    if (ran.end == GpuLaunch::End::fault) set_fault(round.front().symbol, ran.why);
    return fail("{}", ran.why);
  }

  Result<double> time_copy(uint64_t bytes, uint32_t repeat) override {
    if (lost()) return fail("{}", fault_->detail);
    const auto from = rooms_.take(bytes, false);
    if (!from) return std::unexpected(from.error());
    const auto to = rooms_.take(bytes, false);
    const auto seconds = to ? api_->time_copy(to->begin, from->begin, bytes, repeat)
                            : Result<double>(std::unexpected(to.error()));
    rooms_.put(*from, false);
    if (to) rooms_.put(*to, false);
    return seconds;
  }

  // Some of it is the driver's and the pool's.
  uint64_t memory() const override { return static_cast<uint64_t>(api_->facts().memory) / 10 * 9; }
  int64_t cache_bytes() const override { return api_->facts().l2; }
  std::string describe() const override {
    return fmt::format("{}: {}, {}", name_, api_->facts().name, api_->facts().driver);
  }

  LaunchResult launch(const w4_launch& what, const LaunchOptions&) override {
    if (lost()) return faulted();
    const auto loaded = load(what);
    if (!loaded) {
      if (took_notice(what.symbol, loaded.error().text)) return faulted();
      return refused(loaded.error().text);
    }
    for (GpuBuffer& b : buffers_) {
      if (auto done = b.upload(*api_); !done) return broken(what, done.error());
    }
    const GpuLaunch ran = api_->launch(*(*loaded)->code, what);
    if (ran.end == GpuLaunch::End::refused) return refused(ran.why);
    if (ran.end == GpuLaunch::End::fault) {
      set_fault(what.symbol, ran.why);
      return faulted();
    }
    LaunchResult result = on_silicon();
    result.text_hash = (*loaded)->hash;
    if (auto done = look_at_buffers(result.findings); !done) return broken(what, done.error());
    for (Finding& f : result.findings) f.kernel = what.symbol;
    if (!result.findings.empty()) result.end = LaunchResult::End::findings;
    return result;
  }

 private:
  // What timed launches wrote, seen once, when somebody asks.
  Result<void> settle() {
    if (!std::exchange(unsettled_, false) || lost()) return {};
    std::vector<Finding> findings;
    if (auto done = look_at_buffers(findings); !done) return done;
    if (findings.empty()) return {};
    return fail("launched again, for its time: {}", findings.front().detail);
  }

  // Reads all of them at once, then has each say what is wrong.
  Result<void> look_at_buffers(std::vector<Finding>& findings) {
    size_t bytes = 0;
    for (const GpuBuffer& b : buffers_) bytes += b.seen_bytes();
    if (scratch_.size() < bytes) scratch_.resize(bytes);
    std::vector<GpuRead> reads;
    size_t at = 0;
    for (const GpuBuffer& b : buffers_) {
      reads.push_back({b.seen_from(), std::span(scratch_).subspan(at, b.seen_bytes())});
      at += b.seen_bytes();
    }
    if (auto done = api_->read_each(reads); !done) return done;
    for (size_t i = 0; i < buffers_.size(); ++i) {
      if (auto done = buffers_[i].check(*api_, reads[i].to, findings); !done) return done;
    }
    return {};
  }

  LaunchResult on_silicon() const {
    LaunchResult r;
    r.inexact = {describe()};
    return r;
  }

  LaunchResult refused(std::string why) const {
    LaunchResult r = on_silicon();
    r.end = LaunchResult::End::refused;
    r.why = std::move(why);
    return r;
  }

  LaunchResult faulted() const {
    LaunchResult r = on_silicon();
    r.end = LaunchResult::End::findings;
    r.findings = {*fault_};
    return r;
  }

  // The driver failed at something that has no business failing.
  LaunchResult broken(const w4_launch& what, const Error& error) {
    return took_notice(what.symbol, error.text) ? faulted() : refused(error.text);
  }

  void set_fault(std::string_view kernel, std::string_view words) {
    fault_.emplace();
    fault_->kind = FindingKind::device_fault;
    fault_->kernel = kernel;
    fault_->detail = fmt::format("{} on {}; {}", words, api_->facts().name, words_for(placement_));
  }

  // Whether the GPU is lost, of which a fault says why.
  bool took_notice(std::string_view during, std::string_view words) {
    if (!lost() && api_->lost()) set_fault(during, words);
    return lost();
  }

  // Addresses that look like others, of nothing.
  uint64_t nowhere(const BufferRequest& r) {
    constexpr uint64_t kFirst = uint64_t{1} << 40;
    nowhere_ = std::max(nowhere_, kFirst);
    const uint64_t base = nowhere_ + r.offset % 256;
    nowhere_ += (room_for(r.bytes) + 511) / 256 * 256;
    return base;
  }

  static std::unexpected<Error> nobody(uint64_t at, uint64_t bytes) {
    return fail("no buffer holds {} bytes at {:#x}", bytes, at);
  }

  GpuBuffer* find(uint64_t at, uint64_t bytes) {
    const auto it =
        std::ranges::find_if(buffers_, [&](const GpuBuffer& b) { return b.holds(at, bytes); });
    return it == buffers_.end() ? nullptr : &*it;
  }

  // What `act` does with the buffer that holds the range; nothing once the GPU is lost.
  template <class Act>
  Result<void> with(uint64_t at, uint64_t bytes, const Act& act) {
    if (lost()) return {};
    GpuBuffer* b = find(at, bytes);
    if (b == nullptr) return nobody(at, bytes);
    auto done = act(*b);
    if (!done && took_notice("a copy", done.error().text)) return {};
    return done;
  }

  // Objects are loaded once per (address, size): a module's objects are constant data.
  Result<const LoadedCode*> load(const w4_launch& what) {
    const auto key = std::pair(what.object, what.object_bytes);
    if (const auto it = codes_.find(key); it != codes_.end()) return &it->second;
    const std::span bytes(static_cast<const std::byte*>(what.object), what.object_bytes);
    LoadedCode made;
    if (model_.arch == "cuda") {
      made.hash = hash_of({static_cast<const char*>(what.object), what.object_bytes});
    } else {
      const auto object = rdna::CodeObject::load(bytes);
      if (!object) return std::unexpected(object.error());
      if ((*object)->arch() != model_.arch) {
        return fail("code object is for {}, the device is {}", (*object)->arch(), model_.arch);
      }
      made.hash = (*object)->text_hash();
    }
    auto code = api_->load(bytes);
    if (!code) return std::unexpected(code.error());
    made.code = std::move(*code);
    return &codes_.emplace(key, std::move(made)).first->second;
  }

  std::string name_;
  std::unique_ptr<GpuApi> api_;
  GpuModel model_;
  GpuRooms rooms_;
  std::vector<GpuBuffer> buffers_;
  std::map<std::pair<const void*, size_t>, LoadedCode> codes_;
  std::vector<std::byte> scratch_;
  bool unsettled_ = false;  // timed launches wrote what nobody looked at
  std::optional<Finding> fault_;
  Placement placement_ = Placement::plain;  // where buffers lie, as far as the driver can do it
  uint64_t nowhere_ = 0;
};

}  // namespace

std::unique_ptr<Device> make_gpu_device(std::string name, std::unique_ptr<GpuApi> api) {
  return std::make_unique<GpuDevice>(std::move(name), std::move(api));
}

}  // namespace w4
