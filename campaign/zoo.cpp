#include "campaign/zoo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>

#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "campaign/report/filing.h"
#include "campaign/zoo/document.h"
#include "campaign/zoo/rebase.h"
#include "campaign/zoo/run_zoo.h"
#include "core/gpu.h"
#include "zoo/catalogue.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;
using zoo::HuntOptions;

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
  if (!c.device.empty()) {
    if (find_gpu(c.device) == nullptr && !is_native_device(c.device))
      return fail("--device: '{}'; legal: an emulated arch, host, hip, cuda", c.device);
    o.device = c.device;
    if (is_native_device(c.device) && c.generators.empty())
      std::erase(o.generators, zoo::Generator::audit);
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
  zoo->add_option("--device", c.device,
                  "Run every case on this device; on host, hip and cuda what the emulator's checks "
                  "alone show is silent, and the audits are left out")
      ->option_text("NAME");
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
  zoo->add_option(
         "--db", c.db,
         "SQLite store to file the result in for `w4check report`, made where there is none")
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
      "Exit codes: 0 all killed (with --device host, hip or cuda: some killed, none that a call "
      "could show survives) and nothing red of the clean kernels, 1 otherwise, 2 usage, 3 "
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
  auto filing = Filing::open(c.db, c.json);
  if (!filing) return usage_error(filing.error().text);
  const fs::path clean = list.parent_path() / "modules" / "clean.so";
  catch_interrupts();
  return zoo::run_zoo(*mutants, clean.string(), *options, c, *filing);
}

}  // namespace w4
