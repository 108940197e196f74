// A campaign of 100,000 random cases with 200 failures, whose lines are drawn as campaigns draw
// them, so that coverage has as many different cells as it gets.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "results/documents.h"
#include "results/store_impl.h"
#include "stores/depicted.h"
#include "stores/stores.h"
#include "verify/build_id.h"
#include "verify/cases/break_clause.h"
#include "verify/cases/row_cases.h"

namespace w4::testing {
namespace {

constexpr int64_t kCases = 100'000;
constexpr uint64_t kOneIn = 10;  // is red
constexpr int kFailures = 200;
constexpr int64_t kBatch = 20'000;  // cases a transaction

// Failure f as often as its rank says: the first 1,700 times, the last 8 times.
int failure_of(double uniform) {
  static const std::vector<double> sums = [] {
    std::vector<double> out;
    double sum = 0;
    for (int f = 1; f <= kFailures; ++f) out.push_back(sum += 1.0 / f);
    return out;
  }();
  return static_cast<int>(std::ranges::lower_bound(sums, uniform * sums.back()) - sums.begin());
}

// The one nearest to it that is of the kernel of case n: they take turns, and so do failures.
int of_kernel(int failure, int64_t n, int64_t kernels) {
  const auto k = static_cast<int>(kernels);
  const int near = failure - failure % k + static_cast<int>(n % kernels);
  return near < kFailures ? near : near - k;
}

// Letters, since numbers in a pattern do not tell failures apart.
std::string letters(int n) {
  return {static_cast<char>('a' + n / 26), static_cast<char>('a' + n % 26)};
}

Outcome red(int failure, std::mt19937_64& random) {
  const double ratio = 2 + static_cast<double>(random() % 1000);
  return Mismatch{.worst = {.m = 0,
                            .n = 3,
                            .got = 1.5,
                            .low = 1,
                            .high = 1.25,
                            .twin = 1.125,
                            .bound = 1e-3,
                            .ratio = ratio},
                  .count = 32,
                  .total = 64,
                  .pattern = fmt::format("rows of kind {}, every column", letters(failure))};
}

// One case in eight breaks a clause and is refused for it.
struct Drawn {
  Case line;
  std::string broken{};
};

// As campaigns draw them, but for whether their data prove something: that would take minutes.
Drawn draw(int64_t n) {
  static constexpr std::string_view kDevices[] = {"gfx1100", "gfx1151", "gfx1201"};
  CaseLimits limits;
  limits.devices = kDevices;
  const auto rows = generated_rows();
  NumberedChooser choose(1, n);
  Case c = choose_draft(choose, limits, rows[static_cast<size_t>(n) % rows.size()]);
  if (!one_in(choose, 8)) return {std::move(c)};
  const auto clauses = breakable_clauses();
  const std::string_view clause = one_of(choose, clauses);
  return {break_clause(std::move(c), clause, choose), std::string(clause)};
}

Outcome green(const Drawn& drawn, std::mt19937_64& random) {
  if (!drawn.broken.empty()) return Refused{drawn.broken, "as it must", true, true};
  Pass pass;
  const auto part = [&] { return static_cast<double>(random() % 10'000) / 10'000; };
  pass.headroom = part() * part();
  pass.worst = {.m = 0,
                .n = 1,
                .got = 1,
                .low = 0.9,
                .high = 1.1,
                .twin = 1.01,
                .bound = 1e-3,
                .ratio = pass.headroom};
  pass.exposure = 12;
  pass.drift = {.outputs = 64,
                .columns = 16,
                .sum = part() - 0.5,
                .squares = part(),
                .products = part(),
                .counts = 256,
                .open = part()};
  return pass;
}

Provenance ran_of(const Case& c) {
  Provenance ran;
  ran.build_id = build_id();
  ran.object_hash = "0123456789abcdef";
  ran.fp = "gfx1151";
  ran.evidence = "v_dot2acc_f32_f16";
  const Problem& p = c.problem;
  ran.instantiation =
      fmt::format("{} m{} y{}u4a16w16 w4 g{} {} {}", p.k * p.m > 20'000 ? "medium" : "small",
                  std::min<int64_t>(p.m, 4), p.n % 8 == 0 ? 2 : 1, p.g, name_of(p.act),
                  p.zp == ZpMode::none ? "symmetric" : "packed");
  ran.symbols = {"w4_" + c.kernel};
  ran.resolved = fmt::format("lda={} ldy={} cus=20 lds=65536", p.k, p.n);
  ran.wave_instructions = static_cast<uint64_t>(p.k * p.n / 16);
  ran.seconds = 0.003;
  return ran;
}

}  // namespace

void large_store(const std::string& path) {
  Store store = must(Store::open(path, Store::Mode::write));
  const int64_t run = must(store.begin_run({"w4check campaign --db large.db --cases 100000",
                                            build_id(), kCases, RunKind::campaign, "{}"}));
  const auto kernels = static_cast<int64_t>(generated_rows().size());
  std::mt19937_64 random(1);  // NOLINT: the same store each time
  Store::Impl& impl = store.impl();
  for (int64_t from = 0; from < kCases; from += kBatch) {
    must(impl.transaction([&]() -> Result<void> {
      const int64_t source = must(impl.source("random"));
      for (int64_t n = from; n < from + kBatch; ++n) {
        const Drawn drawn = draw(n);
        const Case& c = drawn.line;
        const bool wrong = random() % kOneIn == 0;
        const int failure = of_kernel(
            failure_of(static_cast<double>(random() % (1U << 20)) / (1U << 20)), n, kernels);
        Outcome outcome = wrong ? red(failure, random) : green(drawn, random);
        const Record record{"random", c.kernel, c.device,
                            make_verdict(to_string(c), {std::move(outcome)}, ran_of(c))};
        must(impl.file({run, source, n}, record, n % 10 == 1));
      }
      return {};
    }));
  }
  must(store.end_run(run, RunState::complete));
  for (const StoredFailure& f : must(store.failures(run, kFailures + 1))) {
    const nlohmann::json depicted = filled_depiction(f.first_line, static_cast<uint64_t>(f.id));
    must(file_document(store, {"depiction", f.first_line, build_id(), "", depicted.dump()}));
  }
}

}  // namespace w4::testing
