#include "campaign/zoo/run_zoo.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "campaign/own_process.h"
#include "campaign/zoo/fate.h"
#include "campaign/zoo/results.h"
#include "campaign/zoo/seeds.h"

namespace w4::zoo {
namespace {

// One way over the zoo with some threads: work(i) for every i, until one fails.
Result<void> in_parallel(size_t count, int jobs, const std::function<Result<void>(size_t)>& work) {
  std::atomic<size_t> next = 0;
  std::mutex lock;
  Result<void> out;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < jobs; ++t) {
      threads.emplace_back([&] {
        for (size_t i = next++; i < count && !interrupted(); i = next++) {
          if (auto done = work(i); !done) {
            const std::scoped_lock guard(lock);
            if (out) out = std::unexpected(done.error());
            next = count;
          }
        }
      });
    }
  }
  return out;
}

// What was hunted, with what: the name under which the result is filed.
std::string asked(const ZooCommand& c) {
  std::string out = c.quick ? "quick mutants" : "all mutants";
  if (!c.mutants.empty() || !c.families.empty()) {
    std::vector<std::string> only = c.mutants;
    for (const std::string& f : c.families) only.push_back("family " + f);
    out = fmt::format("{}{}", c.quick ? "quick of " : "", fmt::join(only, ", "));
  }
  if (!c.generators.empty()) out += fmt::format("; generator {}", fmt::join(c.generators, ", "));
  if (!c.oracle.empty()) out += fmt::format("; oracle {}", c.oracle);
  if (c.seeds > 0) out += fmt::format("; {} seeds", c.seeds);
  if (!c.device.empty()) out += "; device " + c.device;
  if (c.first) out += "; first kill";
  out += fmt::format("; {:g} s each", c.budget);
  if (c.cases > 0) out += fmt::format(", {} cases a generator", c.cases);
  return out;
}

class Zoo {
 public:
  Zoo(const std::vector<Mutant>& mutants, const std::string& clean, const HuntOptions& options,
      const ZooCommand& c, Filing& filing)
      : mutants_(mutants),
        clean_module_(clean),
        options_(options),
        command_(c),
        filing_(filing),
        jobs_(c.jobs > 0 ? c.jobs
                         : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))) {}

  int run() {
    const JsonAside to(command_.json, false);
    if (!to.error().empty()) return usage_error(to.error());
    const auto done = command_.seeds > 0 ? hunt_seeds(to) : hunt_all(to);
    if (!done) {
      fmt::print(stderr, "w4check: harness error: {}\n", done.error().text);
      return kHarnessError;
    }
    if (interrupted()) {
      filing_.leave_out("zoo");
      return kInterrupted;
    }
    if (!filing_.file("zoo", asked(command_), found_.dump())) return kHarnessError;
    return *done;
  }

 private:
  static Quarry quarry(const Mutant& m) {
    return {m.family + "/" + m.id, m.module.string(), m.expect, m.cases, false};
  }

  void say(const std::string& text) {
    const std::scoped_lock guard(lock_);
    if (isatty(STDERR_FILENO) != 0) {
      fmt::print(stderr, "\r\x1b[K{}", text.substr(0, 100));
    } else {
      fmt::print(stderr, "{}\n", text);
    }
  }
  static void clear() {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
  }

  Result<int> hunt_all(const JsonAside& to) {
    std::vector<Row> rows(mutants_.size());
    std::vector<char> whole(mutants_.size(), 0);
    std::atomic<size_t> count = 0;
    auto hunted = in_parallel(mutants_.size(), jobs_, [&](size_t i) -> Result<void> {
      const Mutant& m = mutants_[i];
      Row& row = rows[i];
      row.family = m.family, row.id = m.id, row.expect = m.expect;
      row.says = m.says, row.stale = m.stale, row.equivalent = m.equivalent;
      if (m.stale.empty()) {
        auto done = hunt(quarry(m), options_);
        if (!done) return std::unexpected(done.error());
        row.hunted = std::move(*done);
        if (command_.explain) explain(row);
        constexpr double kRecipeSeconds = 300;
        if (command_.recipe) row.tried = try_recipe(m.module.string(), kRecipeSeconds);
      }
      if (interrupted()) return {};
      whole[i] = 1;
      say(fmt::format("{}/{} {} {}", ++count, mutants_.size(), row.name(),
                      name_of(fate_of(row, options_.device).fate)));
      return {};
    });
    if (!hunted) return std::unexpected(hunted.error());
    if (count < mutants_.size()) {
      // What was not hunted to its end is no survivor.
      std::vector<Row> kept;
      for (size_t i = 0; i < rows.size(); ++i) {
        if (whole[i] != 0) kept.push_back(std::move(rows[i]));
      }
      rows = std::move(kept);
      fmt::print(stderr, "w4check: interrupted: {} of {} mutants hunted, the others are left out\n",
                 rows.size(), mutants_.size());
    }
    std::vector<CleanRow> clean;
    if (!command_.no_clean) {
      auto twins = hunt_clean(clean);
      if (!twins) return std::unexpected(twins.error());
      std::erase_if(clean, [](const CleanRow& c) { return c.hunted.runs.empty(); });
    }
    clear();
    fmt::print(to.people(), "{}{}", table_text(rows, options_.generators, options_.device),
               summary_text(rows, clean, options_.device));
    std::string json;
    for (const Row& r : rows) json += to_json(r, options_.device).dump() + "\n";
    for (const CleanRow& r : clean) json += to_json(r).dump() + "\n";
    if (!json.empty()) json.pop_back();
    found_ = document_of(rows, clean, options_);
    if (!to.write(json)) return kHarnessError;
    const auto fails = [&](const Row& r) {
      const Fate f = fate_of(r, options_.device).fate;
      return f == Fate::survives || f == Fate::stale;
    };
    const bool good = std::ranges::none_of(rows, fails) &&
                      std::ranges::any_of(rows, &Row::killed) &&
                      std::ranges::all_of(clean, &CleanRow::green);
    return good ? kGreen : kRed;
  }

  // The line that the random campaign found, or else any.
  static void explain(Row& row) {
    constexpr double kSeconds = 150;
    const Killed* k = nullptr;
    for (const Generator g : {Generator::own, Generator::suites, Generator::random}) {
      const Hunted::Run* run = row.hunted.run_of(g);
      if (run == nullptr || run->first() == nullptr || run->first()->line.empty()) continue;
      k = run->first();
    }
    if (k == nullptr) return;
    auto said = explain_kill(row.expect, *k, kSeconds);
    row.explained = said ? std::move(*said) : Explained{Diagnosis::unknown, said.error().text};
  }

  // Every row of the kernel table that a mutant is hunted by, and the mutants' own lines.
  Result<void> hunt_clean(std::vector<CleanRow>& out) {
    std::set<std::string> rows;
    std::vector<Case> lines;
    for (const Mutant& m : mutants_) {
      rows.insert(m.expect.rows.begin(), m.expect.rows.end());
      lines.insert(lines.end(), m.cases.begin(), m.cases.end());
    }
    std::vector<Quarry> quarries;
    HuntOptions options = options_;
    options.first = false, options.only.reset();
    for (const std::string& row : rows) {
      Quarry q{row, clean_module_, {}, {}, true};
      q.expect.rows = {row};
      quarries.push_back(std::move(q));
    }
    const size_t of_rows = quarries.size();
    quarries.push_back({"lines of all mutants", clean_module_, {}, std::move(lines), true});
    out.resize(quarries.size());
    return in_parallel(quarries.size(), jobs_, [&](size_t i) -> Result<void> {
      HuntOptions mine = options;
      if (i == of_rows) {
        mine.generators = {Generator::own, Generator::audit};
      } else {
        std::erase(mine.generators, Generator::own);
        std::erase(mine.generators, Generator::audit);
      }
      auto done = hunt(quarries[i], mine);
      if (!done) return std::unexpected(done.error());
      out[i] = {quarries[i].name, std::move(*done)};
      say(fmt::format("clean {}: {} cases {}", out[i].name, out[i].cases(),
                      out[i].green() ? "green" : "RED"));
      return {};
    });
  }

  Result<int> hunt_seeds(const JsonAside& to) {
    std::vector<SeedRow> rows;
    std::vector<std::pair<size_t, uint64_t>> work;
    for (const Mutant& m : mutants_) {
      rows.push_back({m.family + "/" + m.id, m.stale, only_audited(m.expect), {}});
      rows.back().runs.resize(static_cast<size_t>(command_.seeds));
    }
    for (size_t s = 0; s < static_cast<size_t>(command_.seeds); ++s) {
      for (size_t i = 0; i < mutants_.size(); ++i) {
        if (mutants_[i].stale.empty() && !rows[i].audit_only) work.emplace_back(i, s);
      }
    }
    std::atomic<size_t> count = 0;
    std::vector<std::atomic<size_t>> of_seed(static_cast<size_t>(command_.seeds));
    auto done = in_parallel(work.size(), jobs_, [&](size_t w) -> Result<void> {
      const auto [i, s] = work[w];
      HuntOptions o = options_;
      o.generators = {Generator::random};
      o.first = true;
      o.seed = command_.seed + s;
      auto hunted = hunt(quarry(mutants_[i]), o);
      if (!hunted) return std::unexpected(hunted.error());
      if (interrupted()) return {};
      rows[i].runs[s] = std::move(hunted->runs.front());
      ++of_seed[s];
      say(fmt::format("{}/{} {} seed {} {}", ++count, work.size(), rows[i].name, o.seed,
                      rows[i].runs[s].first() != nullptr ? "killed" : "survives"));
      return {};
    });
    if (!done) return std::unexpected(done.error());
    clear();
    if (count < work.size()) {
      // Only seeds that met every mutant have a score.
      const size_t each = work.size() / of_seed.size();
      size_t whole = 0;
      while (whole < of_seed.size() && of_seed[whole] == each) ++whole;
      for (SeedRow& r : rows) r.runs.resize(whole);
      fmt::print(stderr,
                 "w4check: interrupted: {} of {} seeds are whole, the others are left out\n", whole,
                 of_seed.size());
    }
    const SeedScore score = score_of(rows, command_.seed);
    fmt::print(to.people(), "{}", score.text);
    found_ = {{"seeds", score.json}};
    if (!to.write(score.json.dump())) return kHarnessError;
    return score.every_mutant_once ? kGreen : kRed;
  }

  const std::vector<Mutant>& mutants_;
  const std::string& clean_module_;
  const HuntOptions& options_;
  const ZooCommand& command_;
  Filing& filing_;
  nlohmann::json found_;  // to be filed
  int jobs_;
  std::mutex lock_;
};

}  // namespace

int run_zoo(const std::vector<Mutant>& mutants, const std::string& clean,
            const HuntOptions& options, const ZooCommand& command, Filing& filing) {
  return Zoo(mutants, clean, options, command, filing).run();
}

}  // namespace w4::zoo
