// What the checks cost on a W4A16 tile kernel on matrix instructions: weights and activations
// staged in LDS, two waves, 32 x 32 of the output a workgroup (tests/rdna/programs/wmma.hip).
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "rdna/emulator.h"

namespace w4::bench {
namespace {

constexpr int kM = 64, kN = 256, kK = 512, kGroup = 128;

class Tile {
 public:
  Tile() : emulator_("gfx1151") {
    std::ifstream file(W4_WMMA_OBJECT, std::ios::binary);
    const std::vector<char> chars((std::istreambuf_iterator<char>(file)), {});
    auto object = rdna::CodeObject::load(std::as_bytes(std::span(chars)));
    if (!object) throw std::runtime_error(object.error().text);
    object_ = *object;
    put(input("w", std::vector<uint32_t>(kN * kK / 8, 0x9a3c5f71u)));
    put(input("x", std::vector<uint16_t>(kM * kK, 0x3555)));
    put(input("scale", std::vector<uint16_t>(kN * kK / kGroup, 0x2999)));
    put(allocate({.name = "y",
                  .bytes = kM * kN * 4,
                  .writable = true,
                  .initialised = false,
                  .track_writers = true}));
    for (const int x : {kM, kN, kK, kGroup}) put(x);
  }

  // Seconds of one launch.
  double run(uint32_t checks) {
    rdna::LaunchConfig config;
    config.grid = {kN / 32, kM / 32, 1};
    config.block = {64, 1, 1};
    config.checks = checks;
    const auto start = std::chrono::steady_clock::now();
    const rdna::LaunchReport report = emulator_.launch(*object_, "f16_clean", config, args_);
    const std::chrono::duration<double> t = std::chrono::steady_clock::now() - start;
    if (report.end != rdna::LaunchReport::End::completed) throw std::runtime_error(report.why);
    return t.count();
  }

 private:
  rdna::Address allocate(const rdna::BufferSpec& spec) {
    auto a = emulator_.memory().allocate(spec);
    if (!a) throw std::runtime_error(a.error().text);
    return *a;
  }
  template <class T>
  rdna::Address input(const char* name, const std::vector<T>& values) {
    const rdna::Address a = allocate({.name = name, .bytes = values.size() * sizeof(T)});
    if (auto done = emulator_.memory().write(a, std::as_bytes(std::span(values))); !done)
      throw std::runtime_error(done.error().text);
    return a;
  }
  template <class T>
  void put(const T& x) {
    const auto bytes = std::as_bytes(std::span(&x, 1));
    args_.insert(args_.end(), bytes.begin(), bytes.end());
  }

  std::shared_ptr<const rdna::CodeObject> object_;
  rdna::Emulator emulator_;
  std::vector<std::byte> args_;
};

void BM_WmmaTile(benchmark::State& state) {
  Tile tile;
  tile.run(kAllChecks);
  double checked = 0, unchecked = 0;
  for (auto _ : state) {
    const double t = tile.run(kAllChecks);
    checked += t;
    unchecked += tile.run(0);
    state.SetIterationTime(t);
  }
  state.counters["MMAC/s"] = static_cast<double>(state.iterations()) * kM * kN * kK / checked / 1e6;
  state.counters["checks_cost"] = checked / unchecked;
}
BENCHMARK(BM_WmmaTile)->UseManualTime()->Iterations(40)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace w4::bench
