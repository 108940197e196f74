#include "campaign/zoo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "campaign/own_process.h"
#include "campaign/zoo/document.h"
#include "campaign/zoo/rebase.h"
#include "campaign/zoo/results.h"
#include "campaign/zoo/seeds.h"
#include "verify/cases/row_cases.h"
#include "zoo/catalogue.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;
using zoo::CleanRow;
using zoo::Generator;
using zoo::HuntOptions;
using zoo::Quarry;
using zoo::Row;

constexpr const char* kTarget = "w4_zoo_mutants";

fs::path own_list() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return self.parent_path().parent_path() / "zoo" / "zoo.txt";
}

// Mutants that the options want. Errors name the option and what is legal.
Result<std::vector<Mutant>> wanted(const Catalogue& all, const ZooCommand& c) {
  std::set<std::string> families;
  for (const Mutant& m : all.mutants) families.insert(m.family);
  for (const std::string& f : c.families) {
    if (!families.contains(f))
      return fail("--family: '{}'; legal: {}", f, fmt::join(families, ", "));
  }
  const auto is = [](const Mutant& m, const std::string& name) {
    return name == m.id || name == m.family + "/" + m.id;
  };
  for (const std::string& name : c.mutants) {
    if (std::ranges::none_of(all.mutants, [&](const Mutant& m) { return is(m, name); }))
      return fail("--mutant: '{}' is not in the zoo; legal: an id, or family/id", name);
  }
  std::vector<Mutant> out;
  for (const Mutant& m : all.mutants) {
    if (!c.families.empty() && std::ranges::find(c.families, m.family) == c.families.end())
      continue;
    if (!c.mutants.empty() &&
        std::ranges::none_of(c.mutants, [&](const std::string& n) { return is(m, n); }))
      continue;
    if (c.quick && std::ranges::find(all.quick, m.family + "/" + m.id) == all.quick.end()) continue;
    if (m.stale.empty() && !fs::exists(m.module)) {
      return fail("{} is not built: {}; build the target {}", m.id, m.module.string(), kTarget);
    }
    out.push_back(m);
  }
  return out;
}

Result<HuntOptions> hunt_options(const ZooCommand& c) {
  HuntOptions o;
  if (!(c.budget > 0) || c.budget > 1e6)
    return fail("--budget: {}; legal: above 0 up to 1000000 seconds", c.budget);
  if (c.cases < 0) return fail("--cases: {}; legal: 0 (any number) or more", c.cases);
  o.seconds = c.budget, o.timeout = std::max(20.0, c.budget);
  o.cases = c.cases, o.seed = c.seed, o.first = c.first, o.stop = interrupted;
  if (!c.generators.empty()) {
    o.generators.clear();
    for (const std::string& name : c.generators) {
      const auto g = zoo::generator_from(name);
      if (!g) return fail("--generator: '{}'; legal: own, audit, random, suites", name);
      o.generators.push_back(*g);
    }
  }
  if (!c.oracle.empty()) {
    const auto at = std::ranges::find_if(
        zoo::kOracles, [&](zoo::Oracle x) { return zoo::name_of(x) == c.oracle; });
    if (at == zoo::kOracles.end()) {
      std::vector<std::string_view> names;
      for (const zoo::Oracle x : zoo::kOracles) names.push_back(zoo::name_of(x));
      return fail("--oracle: '{}'; legal: {}", c.oracle, fmt::join(names, ", "));
    }
    o.only = *at;
  }
  return o;
}

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

class Zoo {
 public:
  Zoo(std::vector<Mutant> mutants, std::string clean, HuntOptions options, const ZooCommand& c)
      : mutants_(std::move(mutants)),
        clean_module_(std::move(clean)),
        options_(std::move(options)),
        command_(c),
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
    if (interrupted()) return kInterrupted;
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
    std::atomic<size_t> count = 0;
    auto hunted = in_parallel(mutants_.size(), jobs_, [&](size_t i) -> Result<void> {
      const Mutant& m = mutants_[i];
      Row& row = rows[i];
      row.family = m.family, row.id = m.id, row.expect = m.expect;
      row.says = m.says, row.stale = m.stale;
      if (m.stale.empty()) {
        auto done = zoo::hunt(quarry(m), options_);
        if (!done) return std::unexpected(done.error());
        row.hunted = std::move(*done);
        if (command_.explain) explain(row);
        constexpr double kRecipeSeconds = 300;
        if (command_.recipe) row.tried = zoo::try_recipe(m.module.string(), kRecipeSeconds);
      }
      say(fmt::format("{}/{} {} {}", ++count, mutants_.size(), row.name(),
                      row.killed() ? "killed" : "survives"));
      return {};
    });
    if (!hunted) return std::unexpected(hunted.error());
    std::vector<CleanRow> clean;
    if (!command_.no_clean) {
      auto twins = hunt_clean(clean);
      if (!twins) return std::unexpected(twins.error());
    }
    clear();
    fmt::print(to.people(), "{}{}", zoo::table_text(rows, options_.generators),
               zoo::summary_text(rows, clean));
    std::string json;
    for (const Row& r : rows) json += zoo::to_json(r).dump() + "\n";
    for (const CleanRow& r : clean) json += zoo::to_json(r).dump() + "\n";
    if (!json.empty()) json.pop_back();
    if (!to.write(json)) return kHarnessError;
    const bool good =
        std::ranges::all_of(rows, &Row::killed) && std::ranges::all_of(clean, &CleanRow::green);
    return good ? kGreen : kRed;
  }

  // The line that the random campaign found, or else any.
  static void explain(Row& row) {
    constexpr double kSeconds = 150;
    const zoo::Killed* k = nullptr;
    for (const Generator g : {Generator::own, Generator::suites, Generator::random}) {
      const zoo::Hunted::Run* run = row.hunted.run_of(g);
      if (run == nullptr || run->first() == nullptr || run->first()->line.empty()) continue;
      k = run->first();
    }
    if (k == nullptr) return;
    auto said = zoo::explain_kill(row.expect, *k, kSeconds);
    row.explained =
        said ? std::move(*said) : zoo::Explained{zoo::Diagnosis::unknown, said.error().text};
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
      auto done = zoo::hunt(quarries[i], mine);
      if (!done) return std::unexpected(done.error());
      out[i] = {quarries[i].name, std::move(*done)};
      say(fmt::format("clean {}: {} cases {}", out[i].name, out[i].cases(),
                      out[i].green() ? "green" : "RED"));
      return {};
    });
  }

  Result<int> hunt_seeds(const JsonAside& to) {
    std::vector<zoo::SeedRow> rows;
    std::vector<std::pair<size_t, uint64_t>> work;
    for (const Mutant& m : mutants_) {
      rows.push_back({m.family + "/" + m.id, m.stale, zoo::only_audited(m.expect), {}});
      rows.back().runs.resize(static_cast<size_t>(command_.seeds));
    }
    for (size_t s = 0; s < static_cast<size_t>(command_.seeds); ++s) {
      for (size_t i = 0; i < mutants_.size(); ++i) {
        if (mutants_[i].stale.empty() && !rows[i].audit_only) work.emplace_back(i, s);
      }
    }
    std::atomic<size_t> count = 0;
    auto done = in_parallel(work.size(), jobs_, [&](size_t w) -> Result<void> {
      const auto [i, s] = work[w];
      HuntOptions o = options_;
      o.generators = {Generator::random};
      o.first = true;
      o.seed = command_.seed + s;
      auto hunted = zoo::hunt(quarry(mutants_[i]), o);
      if (!hunted) return std::unexpected(hunted.error());
      rows[i].runs[s] = std::move(hunted->runs.front());
      say(fmt::format("{}/{} {} seed {} {}", ++count, work.size(), rows[i].name, o.seed,
                      rows[i].runs[s].first() != nullptr ? "killed" : "survives"));
      return {};
    });
    if (!done) return std::unexpected(done.error());
    clear();
    const zoo::SeedScore score = zoo::score_of(rows, command_.seed);
    fmt::print(to.people(), "{}", score.text);
    if (!to.write(score.json.dump())) return kHarnessError;
    return score.every_mutant_once ? kGreen : kRed;
  }

  std::vector<Mutant> mutants_;
  std::string clean_module_;
  HuntOptions options_;
  const ZooCommand& command_;
  int jobs_;
  std::mutex lock_;
};

}  // namespace

void add_zoo(CLI::App& app, ZooCommand& c) {
  CLI::App* zoo = app.add_subcommand(
      "zoo", "Hunt the zoo's mutants: which oracle and generator kills each, and how soon");
  zoo->add_option("--mutant", c.mutants, "Only this one, by id or family/id; repeatable")
      ->option_text("ID")
      ->allow_extra_args(false);
  zoo->add_option("--family", c.families, "Only this family; repeatable")
      ->option_text("FAMILY")
      ->allow_extra_args(false);
  zoo->add_option(
         "--oracle", c.oracle,
         "Only kills by this oracle count: interval, laws, memory, value, order, contract, "
         "drift, audit, process")
      ->option_text("ORACLE");
  zoo->add_option("--generator", c.generators,
                  "Only this one: own (the lines beside the mutant), audit, random (as a campaign "
                  "draws them), suites; repeatable")
      ->option_text("NAME")
      ->allow_extra_args(false);
  zoo->add_option("--budget", c.budget, "Seconds a mutant (default 20)")->option_text("SECONDS");
  zoo->add_option("--cases", c.cases, "Most cases of a generator (default: any number)")
      ->option_text("N");
  zoo->add_option("--seed", c.seed, "Of the random campaign (default 1)")->option_text("SEED");
  zoo->add_option(
         "--seeds", c.seeds,
         "The random campaign alone, with this many seeds from --seed on: how many mutants "
         "each kills, after how many cases")
      ->option_text("N");
  zoo->add_option("--jobs,-j", c.jobs, "Mutants hunted at once (default: one a core)")
      ->option_text("N");
  zoo->add_flag("--first", c.first, "Stop at the first kill of a mutant");
  zoo->add_flag("--quick", c.quick,
                "Only the mutants that the ordinary build makes (zoo/quick.txt)");
  zoo->add_flag("--no-clean", c.no_clean, "Leave out the clean kernels");
  zoo->add_flag("--explain", c.explain,
                "Ask explain for a killing line of each, and say whether it names the defect");
  zoo->add_flag("--recipe", c.recipe, "Run upstream's own tests on each too (docs/recipe.md)");
  zoo->add_option("--list", c.list, "zoo.txt of another build (default: of this program's)")
      ->option_text("FILE");
  zoo->add_option("--json", c.json, "Write a JSON object a line, one a mutant, to FILE, or -")
      ->option_text("FILE");
  CLI::App* rebase = zoo->add_subcommand(
      "rebase", "Show edits that no longer apply, each with the nearest text in its file");
  rebase->callback([&c] { c.rebase = true; });
  CLI::App* document = zoo->add_subcommand(
      "document", "Print docs/kill-table.md from the JSON of a run and of one with --seeds");
  document->add_option("files", c.document, "The run's JSON, then that of the seeds")
      ->option_text("HUNTED SEEDS")
      ->required()
      ->expected(2);
  zoo->footer(
      "Killed: an element outside its interval, a broken law, or a finding, acceptance or refusal "
      "of "
      "the kind that the mutant declares.\n"
      "Exit codes: 0 all killed and nothing red of the clean kernels, 1 otherwise, 2 usage, 3 "
      "harness error, 130 interrupted.");
}

int zoo_command(const ZooCommand& c) {
  if (!c.document.empty()) return zoo::document(c.document[0], c.document[1]);
  const fs::path list = c.list.empty() ? own_list() : fs::path(c.list);
  auto all = read_catalogue(list);
  if (!all) return usage_error(fmt::format("zoo: {}", all.error().text));
  if (c.rebase) return zoo::rebase(*all);
  if (c.seeds < 0 || c.seeds > 1000)
    return usage_error(fmt::format("--seeds: {}; legal: 0 to 1000", c.seeds));
  if (c.jobs < 0 || c.jobs > 256)
    return usage_error(fmt::format("--jobs: {}; legal: 1 to 256", c.jobs));
  auto options = hunt_options(c);
  if (!options) return usage_error(options.error().text);
  auto mutants = wanted(*all, c);
  if (!mutants) return usage_error(mutants.error().text);
  if (mutants->empty())
    return usage_error("zoo: no mutant is left; see --family, --mutant, --quick");
  const fs::path clean = list.parent_path() / "modules" / "clean.so";
  catch_interrupts();
  return Zoo(std::move(*mutants), clean.string(), std::move(*options), c).run();
}

}  // namespace w4
