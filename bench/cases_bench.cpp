// Cases per second, end to end with all checks, on the frozen list of small cases.
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "verify/run_case.h"

namespace w4::bench {
namespace {

void BM_CasesSmall(benchmark::State& state) {
  std::ifstream file(W4_CASES_SMALL);
  std::stringstream text;
  text << file.rdbuf();
  const auto cases = parse_cases(text.str(), "cases_small.txt");
  if (!cases) throw std::runtime_error(cases.error().text);
  Context context;
  for (auto _ : state) {
    for (const Case& c : *cases) {
      const Verdict v = run_case(c, context);
      if (!v.green()) throw std::runtime_error(to_string(v));
    }
  }
  state.counters["cases/s"] = benchmark::Counter(
      static_cast<double>(state.iterations() * cases->size()), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_CasesSmall)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace w4::bench
