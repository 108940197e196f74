// A GPU's driver in host memory: an address is a pointer, a kernel is a function of the test, and
// what a test wants to know is counted.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "devices/gpu_api.h"

namespace w4::test {

class FakeGpu final : public GpuApi {
 public:
  struct State {
    std::function<GpuLaunch(const w4_launch&)> kernel;
    std::string arch = "cuda";
    int64_t bytes = int64_t{1} << 30;  // of memory
    bool traps = true;                 // guarded rooms trap on both sides
    bool memory = true;                // there is some
    bool dead = false;                 // calls fail, lost() says so
    int reserved = 0, given_back = 0, writes = 0, reads = 0, loads = 0, launches = 0;
    std::map<uint64_t, std::vector<std::byte>> rooms;
  };

  explicit FakeGpu(State& state) : s_(state) {
    facts_ = {.name = "Fake 1",
              .arch = state.arch,
              .driver = "fake driver 2",
              .wave = 32,
              .multiprocessors = 7,
              .lds_per_block = 1000,
              .max_threads_per_block = 1024,
              .memory = state.bytes,
              .l2 = 4096};
  }

  const GpuFacts& facts() const override { return facts_; }
  bool lost() const override { return s_.dead; }

  Result<GpuRoom> reserve(uint64_t bytes, bool guarded) override {
    if (s_.dead || !s_.memory) return fail("no memory");
    ++s_.reserved;
    const bool traps = guarded && s_.traps;
    std::vector<std::byte> memory(bytes + 512, std::byte{0x5A});
    const uint64_t begin = (reinterpret_cast<uint64_t>(memory.data()) + 255) / 256 * 256;
    s_.rooms.emplace(begin, std::move(memory));
    return GpuRoom{begin, bytes, traps, traps};
  }
  void give_back(const GpuRoom& room) override {
    ++s_.given_back;
    s_.rooms.erase(room.begin);
  }
  Result<void> write(uint64_t to, std::span<const std::byte> from) override {
    if (s_.dead) return fail("dead");
    ++s_.writes;
    std::memcpy(reinterpret_cast<void*>(to), from.data(), from.size());
    return {};
  }
  Result<void> read(uint64_t from, std::span<std::byte> to) override {
    if (s_.dead) return fail("dead");
    ++s_.reads;
    std::memcpy(to.data(), reinterpret_cast<const void*>(from), to.size());
    return {};
  }
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) override {
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    return {};
  }
  Result<void> fill(uint64_t to, std::span<const std::byte> pattern, uint64_t bytes) override {
    for (uint64_t i = 0; i < bytes; ++i)
      reinterpret_cast<std::byte*>(to)[i] = pattern[i % pattern.size()];
    return {};
  }
  Result<std::unique_ptr<GpuCode>> load(std::span<const std::byte> object) override {
    ++s_.loads;
    if (s_.dead || object.empty()) return fail("no code");
    return std::make_unique<GpuCode>();
  }
  GpuLaunch launch(GpuCode&, const w4_launch& what, uint32_t) override {
    ++s_.launches;
    GpuLaunch ran = s_.kernel ? s_.kernel(what) : GpuLaunch{};
    if (ran.end == GpuLaunch::End::fault) s_.dead = true;
    return ran;
  }

 private:
  State& s_;
  GpuFacts facts_;
};

}  // namespace w4::test
