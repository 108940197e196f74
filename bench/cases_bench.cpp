// Cases per second, end to end with all checks, on the frozen list of small cases: as a campaign
// meets them (code decoded once per process), and from a fresh start.
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "verify/run_case.h"

namespace w4::bench {
namespace {

std::vector<Case> small_cases() {
  std::ifstream file(W4_CASES_SMALL);
  std::stringstream text;
  text << file.rdbuf();
  auto cases = parse_cases(text.str(), "cases_small.txt");
  if (!cases) throw std::runtime_error(cases.error().text);
  return *cases;
}

void run_all(const std::vector<Case>& cases, Context& context) {
  for (const Case& c : cases) {
    const Verdict v = run_case(c, context);
    if (!v.green()) throw std::runtime_error(to_string(v));
  }
}

void count(benchmark::State& state, size_t cases) {
  state.counters["cases/s"] = benchmark::Counter(static_cast<double>(state.iterations() * cases),
                                                 benchmark::Counter::kIsRate);
}

void BM_CasesSmall(benchmark::State& state) {
  const std::vector<Case> cases = small_cases();
  Context context;
  run_all(cases, context);
  for (auto _ : state) run_all(cases, context);
  count(state, cases.size());
}
BENCHMARK(BM_CasesSmall)->Unit(benchmark::kMillisecond);

void BM_CasesSmallFromStart(benchmark::State& state) {
  const std::vector<Case> cases = small_cases();
  for (auto _ : state) {
    Context context;
    run_all(cases, context);
  }
  count(state, cases.size());
}
BENCHMARK(BM_CasesSmallFromStart)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace w4::bench
