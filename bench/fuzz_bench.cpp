// Cases per second of a fuzz target, without the engine: inputs of uniform bytes to verdicts and to
// the counters that guide. Small shapes alone, and as the targets choose them.
#include <benchmark/benchmark.h>

#include "fuzz/cases.h"
#include "fuzz/classes.h"
#include "fuzz/unguided.h"

namespace w4::bench {
namespace {

void run_one(uint64_t seed, int64_t number, const CaseInput& how) {
  fuzz::must_pass(case_of(fuzz::uniform_input(seed, number), how));
  benchmark::DoNotOptimize(fuzz::classes_of(*fuzz::last_case()));
}

// In a process that has met most instantiations: an instruction is decoded when it first runs, some
// second of work in all, which a fuzzer pays once.
void run(benchmark::State& state, const CaseInput& how) {
  for (int64_t i = 0; i < state.max_iterations; ++i) run_one(1, i, how);
  int64_t number = 0;
  for (auto _ : state) run_one(2, number++, how);
  state.counters["cases/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void BM_FuzzDecodeSmall(benchmark::State& state) {
  CaseInput how = fuzz::small_cases("decode");
  how.large_one_in = 0;
  run(state, how);
}
BENCHMARK(BM_FuzzDecodeSmall)->Unit(benchmark::kMicrosecond)->Iterations(4000);

void BM_FuzzRow(benchmark::State& state) {
  const std::string_view row = generated_rows()[static_cast<size_t>(state.range(0))];
  state.SetLabel(std::string(row));
  run(state, fuzz::small_cases(row));
}
BENCHMARK(BM_FuzzRow)->Unit(benchmark::kMicrosecond)->DenseRange(0, 7)->Iterations(1000);

}  // namespace
}  // namespace w4::bench
