// w4storebench [ROWS] [FILE]: a store of a large campaign; how large, how fast filled and asked.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <vector>

#include "results/store_impl.h"

namespace w4 {
namespace {

constexpr int64_t kBatch = 20000;  // cases a transaction of the fast fill
constexpr int64_t kBehaviours = 100000;
constexpr int kRepeats = 5;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T>
T value(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "w4storebench: {}\n", result.error().text);
  std::exit(3);
}
void check(const Result<void>& done) {
  if (done) return;
  fmt::print(stderr, "w4storebench: {}\n", done.error().text);
  std::exit(3);
}

Outcome outcome_of(int64_t n) {
  if (n % 1000 == 0) {
    Mismatch m;
    m.pattern = fmt::format("rows of {}, kind {}", n, std::string(1, 'a' + n / 1000 % 26));
    return m;
  }
  if (n % 20 == 0) return Refused{"k.group", "K must be divisible by G", true, true};
  return Pass{.worst = {}, .headroom = static_cast<double>(n % 997) / 1000};
}

// About what a campaign of random cases files: a line of some 120 bytes, each tenth case new in
// something; each line once but for some that are flaky.
CampaignCase case_of(int64_t n, int64_t behaviours) {
  const int64_t twin = n % 5000 == 1 ? n - 1 : n;
  const std::string line = fmt::format(
      "decode m={} n=256 k=2048 g=128 act=f16 zp=none src=gptq fill=random seed={} device=gfx1151 "
      "fp=auto sched=fair:{}",
      1 + twin % 4, twin, twin % 97);
  Provenance ran;
  ran.build_id = "0.1.0 0123456789ab Release clang 19.1.7 -O3 -march=x86-64-v3";
  ran.object_hash = "0123456789abcdef";
  ran.fp = "gfx1151";
  ran.instantiation = fmt::format("medium y4u1a16w16 m{} g128 f16 packed", 1 + n % 4);
  ran.wave_instructions = 12345;
  ran.seconds = 0.003;
  const char* kernels[] = {"decode", "prefill", "moe", "chunked"};
  const char* devices[] = {"gfx1100", "gfx1151", "gfx1201"};
  CampaignCase c{
      n,     "random",
      n + 1, {"random", kernels[n % 4], devices[n % 3], make_verdict(line, {outcome_of(n)}, ran)},
      false, {}};
  for (int64_t i = 0; i < behaviours; ++i) {
    c.behaviours.push_back(
        {static_cast<int>(i % 3), static_cast<uint64_t>((n * 31 + i * 7) % kBehaviours)});
  }
  return c;
}

void fill(Store& store, int64_t run, int64_t rows) {
  Store::Impl& impl = store.impl();
  const double took = seconds_of([&] {
    for (int64_t from = 0; from < rows; from += kBatch) {
      check(impl.transaction([&]() -> Result<void> {
        const int64_t source = value(impl.source("random"));
        for (int64_t n = from; n < std::min(rows, from + kBatch); ++n) {
          const CampaignCase c = case_of(n, n % 10 == 0 ? 5 : 0);
          value(impl.file({run, source, n}, c.record, false));
          value(impl.see({run, source, n}, c.behaviours));
        }
        return {};
      }));
    }
  });
  fmt::print("filled, {} cases a transaction: {:.1f} s, {:.0f} cases/s\n", kBatch, took,
             static_cast<double>(rows) / took);
}

void ask(const char* what, const std::function<void()>& question) {
  std::vector<double> took;
  for (int i = 0; i < kRepeats; ++i) took.push_back(seconds_of(question) * 1e3);
  const double first = took.front();
  std::ranges::sort(took);
  fmt::print("{:<28} first {:8.2f} ms, median {:8.2f} ms\n", what, first, took[kRepeats / 2]);
}

void ask_all(const std::string& path, int64_t run) {
  ask("open", [&] { value(Store::open(path, Store::Mode::read)); });
  Store store = value(Store::open(path, Store::Mode::read));
  ask("find_campaign", [&] { value(store.find_campaign()); });
  ask("tally", [&] { value(store.tally(run)); });
  ask("tally of all runs", [&] { value(store.tally({})); });
  ask("failures, top 20", [&] { value(store.failures(run, 20)); });
  ask("failures of all runs, top 20", [&] { value(store.failures({}, 20)); });
  ask("stop_counts", [&] { value(store.stop_counts(run)); });
  ask("stop_counts of all runs", [&] { value(store.stop_counts({})); });
  ask("flaky, 100", [&] { value(store.flaky(100)); });
  ask("positions", [&] { value(store.positions(run)); });
  ask("lost", [&] { value(store.lost(run)); });
  ask("done_numbers, last 1000", [&] { value(store.done_numbers(run, "random", 999000)); });
}

void one_by_one(Store& store, int64_t run, int64_t from, int64_t cases, int64_t behaviours) {
  const double took = seconds_of([&] {
    for (int64_t n = from; n < from + cases; ++n)
      value(store.add_case(run, case_of(n, behaviours)));
  });
  fmt::print("add_case with {:2} behaviours: {:6.1f} us, {:.0f} cases/s\n", behaviours,
             took / static_cast<double>(cases) * 1e6, static_cast<double>(cases) / took);
}

void bench(int64_t rows, const std::string& path) {
  int64_t run = 0;
  {
    Store store = value(Store::open(path, Store::Mode::write));
    run = value(store.begin_run({"w4check campaign", "b1", rows, RunKind::campaign, "{}"}));
    fill(store, run, rows);
  }
  fmt::print("{:.0f} bytes a row, behaviours and failures included\n",
             static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(rows));
  ask_all(path, run);
  Store store = value(Store::open(path, Store::Mode::write));
  one_by_one(store, run, rows, 10000, 0);
  one_by_one(store, run, rows + 10000, 10000, 5);
  one_by_one(store, run, rows + 20000, 10000, 50);
}

}  // namespace
}  // namespace w4

int main(int argc, char** argv) {
  const int64_t rows = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 1'000'000;
  const std::string path = argc > 2 ? argv[2] : "store_bench.db";
  if (rows < 1 || argc > 3) {
    fmt::print(stderr, "w4storebench: '{}'; legal: w4storebench [ROWS] [FILE]\n", argv[1]);
    return 2;
  }
  if (std::filesystem::exists(path)) {
    fmt::print(stderr, "w4storebench: '{}' is there already; give a new file\n", path);
    return 2;
  }
  w4::bench(rows, path);
  return 0;
}
