// Decode on the emulator against the frozen scalar loop, and the cost of the checks: each iteration
// runs all three once, so that the ratios are of one run on whatever machine this is.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/baseline/w4a16_scalar.h"
#include "verify/prepared_call.h"

namespace w4::bench {
namespace {

// A legal line, launched again and again; what goes wrong ends the bench.
class Launches {
 public:
  explicit Launches(const std::string& line, uint32_t threads = 1)
      : context_(threads), call_(value(make(line, context_))) {}
  uint64_t run() { return value(call_.run()); }

 private:
  template <class T>
  static T value(Result<T> r) {
    if (!r) throw std::runtime_error(r.error().text);
    return std::move(*r);
  }
  static Result<PreparedCall> make(const std::string& line, Context& context) {
    const auto parsed = parse_case(line);
    if (!parsed) return std::unexpected(parsed.error());
    return PreparedCall::make(*parsed, context);
  }
  Context context_;
  PreparedCall call_;
};

template <class F>
double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The most memory that a process held which ran the case once, with its data and all checks. First,
// so that the process that forks is small.
void BM_Decode4096PeakMemory(benchmark::State& state) {
  rusage used{};
  for (auto _ : state) {
    const pid_t child = fork();
    if (child == 0) {
      Launches("decode m=1 n=4096 k=4096 g=128 device=gfx1151 fp=ieee").run();
      _exit(0);
    }
    int status = 0;
    if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0)
      throw std::runtime_error("the child that runs the case failed");
  }
  state.counters["peak_MiB"] = static_cast<double>(used.ru_maxrss) / 1024;  // ru_maxrss: KiB
}
BENCHMARK(BM_Decode4096PeakMemory)->Iterations(1)->Unit(benchmark::kMillisecond);

void BM_Decode4096(benchmark::State& state) {
  constexpr int64_t kN = 4096, kK = 4096, kG = 128;
  const int64_t m = state.range(0);
  const auto line = [&](const char* checks) {
    return fmt::format("decode m={} n={} k={} g={} device=gfx1151 fp=ieee checks={}", m, kN, kK, kG,
                       checks);
  };
  Launches checked(line("all")), unchecked(line("none"));
  std::vector<uint32_t> wei(kN * kK / 8, 0x12345678u);
  std::vector<uint16_t> act(m * kK, 0x3c00), scale(kN * kK / kG, 0x2000), out(m * kN);

  double t_checked = 0, t_unchecked = 0, t_scalar = 0;
  uint64_t instructions = 0;
  for (auto _ : state) {
    t_scalar += seconds([&] {
      w4a16_scalar(wei.data(), act.data(), scale.data(), out.data(), m, kN, kK, kG);
      benchmark::DoNotOptimize(out.data());
    });
    const double t = seconds([&] { instructions += checked.run(); });
    t_checked += t;
    t_unchecked += seconds([&] { unchecked.run(); });
    state.SetIterationTime(t);
  }
  const double macs = static_cast<double>(m * kN * kK) * static_cast<double>(state.iterations());
  state.counters["MMAC/s"] = macs / t_checked / 1e6;
  state.counters["MMAC/s_unchecked"] = macs / t_unchecked / 1e6;
  state.counters["MMAC/s_scalar"] = macs / t_scalar / 1e6;
  state.counters["Mwave-instr/s"] = static_cast<double>(instructions) / t_checked / 1e6;
  state.counters["of_scalar"] = t_scalar / t_checked;
  state.counters["unchecked_of_scalar"] = t_scalar / t_unchecked;
  state.counters["checks_cost"] = t_checked / t_unchecked;
}
BENCHMARK(BM_Decode4096)
    ->ArgName("m")
    ->Arg(1)
    ->Arg(4)
    ->UseManualTime()
    ->Iterations(12)
    ->Unit(benchmark::kMillisecond);

// Two threads against one, in turns.
void BM_Decode4096Threads(benchmark::State& state) {
  const std::string line = "decode m=1 n=4096 k=4096 g=128 device=gfx1151 fp=ieee";
  Launches one(line), two(line, 2);
  two.run();  // every thread has its own decoded code
  double t_one = 0, t_two = 0;
  for (auto _ : state) {
    t_one += seconds([&] { one.run(); });
    const double t = seconds([&] { two.run(); });
    t_two += t;
    state.SetIterationTime(t);
  }
  state.counters["two_over_one"] = t_one / t_two;
}
BENCHMARK(BM_Decode4096Threads)->UseManualTime()->Iterations(20)->Unit(benchmark::kMillisecond);

// One workgroup of 512 threads, 64 KiB of LDS.
void BM_SmallLaunch(benchmark::State& state) {
  Launches call("decode m=1 n=1 k=256 g=128 cus=1 device=gfx1151 fp=ieee");
  for (auto _ : state) call.run();
  state.counters["launches/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_SmallLaunch);

}  // namespace
}  // namespace w4::bench
